#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace roundtrip {

/// One block of Philox 4x32-10: four random words from a 128-bit counter and a 64-bit key.
std::array<uint32_t, 4> philox4x32(const std::array<uint32_t, 4>& counter,
                                   const std::array<uint32_t, 2>& key);

/// Random numbers drawn by position. Draw i of a stream is a pure function of
/// (seed, purpose, index, i): no state, so neither call order nor threads can change it.
///
///     RandomStream noise(seed, "mhd.velocity", trajectory);
///     noise.normal(0);  // always the same number
class RandomStream {
 public:
  /// `purpose` names what the numbers are for, so that two uses of a seed share no draws.
  RandomStream(uint64_t seed, std::string_view purpose, uint64_t index = 0);

  /// Draw i of 64 random bits.
  uint64_t bits(uint64_t i) const;
  /// Draw i, uniform in [0, 1) with 53 random bits.
  double uniform(uint64_t i) const;
  /// Draw i, uniform in [low, high).
  double uniform(uint64_t i, double low, double high) const;
  /// Draw i, standard normal (Box-Muller; draws i and i^1 share one block).
  double normal(uint64_t i) const;
  /// Draws first, first+1, ... standard normal.
  void fill_normal(std::span<double> out, uint64_t first = 0) const;

 private:
  std::array<uint32_t, 2> key_;
  std::array<uint32_t, 2> high_counter_;
};

}  // namespace roundtrip

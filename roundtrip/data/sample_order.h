#pragma once

#include <array>
#include <cstdint>

namespace roundtrip {

/// A permutation of [0, size) drawn from (seed, epoch) and computed one index at a time: no list is
/// kept, so any rank, thread or resumed run finds its part of an epoch at once.
class SampleOrder {
 public:
  SampleOrder(uint64_t seed, uint64_t epoch, int64_t size);

  int64_t size() const { return size_; }
  /// The `index`-th of them.
  int64_t at(int64_t index) const;

 private:
  static constexpr int kRounds = 8;

  uint64_t permute(uint64_t value) const;

  int64_t size_;
  int low_bits_ = 0;   // of the two halves of a number
  int high_bits_ = 0;  //
  std::array<uint64_t, kRounds> keys_{};
};

}  // namespace roundtrip

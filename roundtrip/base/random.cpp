// Salmon, Moraes, Dror & Shaw 2011, "Parallel random numbers: as easy as 1, 2, 3".
//
// Key and counter of a stream: the 64-bit seed is mixed with the purpose into the key, the stream's
// index is the upper half of the counter and the draw's position the lower half, so that two
// streams with the same key never overlap.
#include "roundtrip/base/random.h"

#include <cmath>
#include <numbers>

namespace roundtrip {
namespace {

// FNV-1a, followed by the finaliser of SplitMix64 so that near seeds give unrelated keys.
uint64_t hash_purpose(uint64_t seed, std::string_view purpose) {
  uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char letter : purpose) {
    hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3ULL;
  }
  uint64_t mixed = hash + seed * 0x9e3779b97f4a7c15ULL;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9ULL;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebULL;
  return mixed ^ (mixed >> 31);
}

std::array<uint32_t, 2> halves(uint64_t x) {
  return {static_cast<uint32_t>(x), static_cast<uint32_t>(x >> 32)};
}

double to_unit(uint64_t bits) { return static_cast<double>(bits >> 11) * 0x1.0p-53; }

}  // namespace

std::array<uint32_t, 4> philox4x32(const std::array<uint32_t, 4>& counter,
                                   const std::array<uint32_t, 2>& key) {
  constexpr uint64_t kMultiplier0 = 0xD2511F53;
  constexpr uint64_t kMultiplier1 = 0xCD9E8D57;
  constexpr uint32_t kWeyl0 = 0x9E3779B9;  // golden ratio
  constexpr uint32_t kWeyl1 = 0xBB67AE85;  // sqrt(3) - 1
  std::array<uint32_t, 4> c = counter;
  uint32_t k0 = key[0];
  uint32_t k1 = key[1];
  for (int round = 0; round < 10; ++round) {
    const uint64_t p0 = kMultiplier0 * c[0];
    const uint64_t p1 = kMultiplier1 * c[2];
    c = {static_cast<uint32_t>(p1 >> 32) ^ c[1] ^ k0, static_cast<uint32_t>(p1),
         static_cast<uint32_t>(p0 >> 32) ^ c[3] ^ k1, static_cast<uint32_t>(p0)};
    k0 += kWeyl0;
    k1 += kWeyl1;
  }
  return c;
}

RandomStream::RandomStream(uint64_t seed, std::string_view purpose, uint64_t index)
    : key_(halves(hash_purpose(seed, purpose))), high_counter_(halves(index)) {}

uint64_t RandomStream::bits(uint64_t i) const {
  const auto low = halves(i / 2);
  const auto block = philox4x32({low[0], low[1], high_counter_[0], high_counter_[1]}, key_);
  const size_t half = 2 * (i % 2);
  return block[half] | static_cast<uint64_t>(block[half + 1]) << 32;
}

double RandomStream::uniform(uint64_t i) const { return to_unit(bits(i)); }

double RandomStream::uniform(uint64_t i, double low, double high) const {
  return low + (high - low) * uniform(i);
}

double RandomStream::normal(uint64_t i) const {
  const uint64_t first = i & ~uint64_t{1};
  const double radius = std::sqrt(-2.0 * std::log1p(-uniform(first)));
  const double angle = 2.0 * std::numbers::pi * uniform(first + 1);
  return radius * (i % 2 == 0 ? std::cos(angle) : std::sin(angle));
}

void RandomStream::fill_normal(std::span<double> out, uint64_t first) const {
  for (size_t j = 0; j < out.size(); ++j) out[j] = normal(first + j);
}

}  // namespace roundtrip

// A Feistel network permutes the numbers of k bits, 2^k the power of two next above the size; a
// number that leaves the range is permuted again until it is back (cycle walking), which takes less
// than two rounds in the mean and keeps the map one to one. Luby & Rackoff 1988; Black & Rogaway
// 2002.
#include "roundtrip/data/sample_order.h"

#include <bit>

#include "roundtrip/base/error.h"
#include "roundtrip/base/random.h"

namespace roundtrip {
namespace {

// The finaliser of splitmix64 (Steele, Lea & Flood 2014): every bit of the input moves every bit.
uint64_t mix(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

}  // namespace

SampleOrder::SampleOrder(uint64_t seed, uint64_t epoch, int64_t size) : size_(size) {
  ensure(size >= 1, "sample order: at least one sample");
  const int bits = std::bit_width(static_cast<uint64_t>(size - 1));
  high_bits_ = bits / 2;
  low_bits_ = bits - high_bits_;
  const RandomStream stream(seed, "data.sample_order", epoch);
  for (int round = 0; round < kRounds; ++round) {
    keys_[static_cast<size_t>(round)] = stream.bits(static_cast<uint64_t>(round));
  }
}

int64_t SampleOrder::at(int64_t index) const {
  ensure(index >= 0 && index < size_, "sample order: an index of the epoch");
  auto value = static_cast<uint64_t>(index);
  do {
    value = permute(value);
  } while (value >= static_cast<uint64_t>(size_));
  return static_cast<int64_t>(value);
}

uint64_t SampleOrder::permute(uint64_t value) const {
  const uint64_t low_mask = (uint64_t{1} << low_bits_) - 1;
  const uint64_t high_mask = (uint64_t{1} << high_bits_) - 1;
  uint64_t low = value & low_mask;
  uint64_t high = value >> low_bits_;
  // Each half in turn is changed by a function of the other, so the halves may differ in width.
  for (size_t round = 0; round < kRounds; round += 2) {
    low ^= mix(high + keys_[round]) & low_mask;
    high ^= mix(low + keys_[round + 1]) & high_mask;
  }
  return high << low_bits_ | low;
}

}  // namespace roundtrip

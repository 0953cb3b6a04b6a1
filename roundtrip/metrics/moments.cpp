#include "roundtrip/metrics/moments.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

// Two passes over a block that fits the cache, its mean then its squared deviations, and blocks
// merged pairwise: no cancellation however far the mean is from zero. Chan, Golub & LeVeque 1979.

namespace roundtrip {
namespace {

constexpr size_t kBlock = 4096;
// Partial sums that do not wait for one another; the compiler may not reorder a single sum.
constexpr size_t kLanes = 16;

template <class Value, class Term>
double sum(std::span<const Value> values, Term term) {
  std::array<double, kLanes> lanes{};
  const size_t whole = values.size() / kLanes * kLanes;
  for (size_t i = 0; i < whole; i += kLanes) {
    for (size_t j = 0; j < kLanes; ++j) lanes[j] += term(static_cast<double>(values[i + j]));
  }
  double total = 0;
  for (size_t i = whole; i < values.size(); ++i) total += term(static_cast<double>(values[i]));
  for (const double lane : lanes) total += lane;
  return total;
}

}  // namespace

template <class Value>
void Moments::add_block(std::span<const Value> values) {
  for (size_t at = 0; at < values.size(); at += kBlock) {
    const std::span<const Value> block = values.subspan(at, std::min(kBlock, values.size() - at));
    Moments part;
    part.count_ = static_cast<int64_t>(block.size());
    part.mean_ = sum(block, [](double x) { return x; }) / static_cast<double>(block.size());
    part.squares_ = sum(block, [&](double x) { return (x - part.mean_) * (x - part.mean_); });
    merge(part);
  }
}

void Moments::add(std::span<const float> values) { add_block(values); }
void Moments::add(std::span<const double> values) { add_block(values); }

void Moments::merge(const Moments& other) {
  if (other.count_ == 0) return;
  const auto mine = static_cast<double>(count_);
  const auto theirs = static_cast<double>(other.count_);
  const double share = theirs / (mine + theirs);
  const double difference = other.mean_ - mean_;
  mean_ += difference * share;
  squares_ += other.squares_ + difference * difference * mine * share;
  count_ += other.count_;
}

double Moments::variance() const {
  return count_ == 0 ? 0 : squares_ / static_cast<double>(count_);
}

double Moments::std_deviation() const { return std::sqrt(variance()); }

double Moments::rms() const { return std::sqrt(mean_ * mean_ + variance()); }

}  // namespace roundtrip

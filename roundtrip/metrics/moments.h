#pragma once

#include <cstdint>
#include <span>

namespace roundtrip {

/// Count, mean and variance of values seen so far, in double precision. Parts computed apart merge
/// to the moments of the whole.
class Moments {
 public:
  void add(std::span<const float> values);
  void add(std::span<const double> values);
  void merge(const Moments& other);

  int64_t count() const { return count_; }
  double mean() const { return mean_; }
  /// Population variance, divided by the count; 0 without values.
  double variance() const;
  double std_deviation() const;
  /// Square root of the mean square.
  double rms() const;

 private:
  template <class Value>
  void add_block(std::span<const Value> values);

  int64_t count_ = 0;
  double mean_ = 0;
  double squares_ = 0;  // sum of squared deviations from the mean
};

}  // namespace roundtrip

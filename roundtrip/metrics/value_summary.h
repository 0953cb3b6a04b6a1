#pragma once

#include <cstdint>
#include <span>

#include "roundtrip/metrics/moments.h"

namespace roundtrip {

/// Range and moments of the finite values seen so far, and how many were not finite.
class ValueSummary {
 public:
  void add(std::span<const float> values);
  void add(std::span<const double> values);

  int64_t count() const { return moments_.count() + not_finite_; }
  int64_t not_finite() const { return not_finite_; }
  /// Of the finite values; NaN when there are none.
  double low() const;
  double high() const;
  double mean() const;
  double std_deviation() const;

 private:
  template <class Value>
  void add_values(std::span<const Value> values);
  bool empty() const { return moments_.count() == 0; }

  Moments moments_;
  double low_ = 0;
  double high_ = 0;
  int64_t not_finite_ = 0;
};

}  // namespace roundtrip

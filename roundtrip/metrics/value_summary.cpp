#include "roundtrip/metrics/value_summary.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace roundtrip {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

}  // namespace

template <class Value>
void ValueSummary::add_values(std::span<const Value> values) {
  std::vector<Value> finite;
  const bool all_finite =
      std::all_of(values.begin(), values.end(), [](Value x) { return std::isfinite(x); });
  if (!all_finite) {
    std::copy_if(values.begin(), values.end(), std::back_inserter(finite),
                 [](Value x) { return std::isfinite(x); });
    not_finite_ += static_cast<int64_t>(values.size() - finite.size());
    values = finite;
  }
  if (values.empty()) return;
  const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
  low_ = empty() ? *least : std::min<double>(low_, *least);
  high_ = empty() ? *greatest : std::max<double>(high_, *greatest);
  moments_.add(values);
}

void ValueSummary::add(std::span<const float> values) { add_values(values); }
void ValueSummary::add(std::span<const double> values) { add_values(values); }

double ValueSummary::low() const { return empty() ? kNone : low_; }
double ValueSummary::high() const { return empty() ? kNone : high_; }
double ValueSummary::mean() const { return empty() ? kNone : moments_.mean(); }
double ValueSummary::std_deviation() const { return empty() ? kNone : moments_.std_deviation(); }

}  // namespace roundtrip

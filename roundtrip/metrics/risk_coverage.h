#pragma once

#include <optional>
#include <span>
#include <vector>

namespace roundtrip {

/// Mean error of what is kept when the rows with the highest predicted error are set aside.
struct RiskCoverage {
  std::vector<double> risk;  // [k - 1]: mean error of the k rows with the lowest prediction
  double mean_error = 0;     // of all rows
  double aurc = 0;           // mean of `risk` over k = 1..n; lower is better
  double oracle_aurc = 0;    // the same when the rows are ranked by their own error
};

/// Among rows of equal prediction each counts with their mean error, the expectation over their
/// orders, so that the order of rows does not matter. `predicted` ranks only: any increasing
/// function of it gives the same. An Error without rows, for NaN predictions, or for errors that
/// are not finite.
RiskCoverage risk_coverage(std::span<const double> predicted, std::span<const double> error);

/// 1 - mean error kept / mean error of all, with round(coverage n) rows kept, at least one. None
/// when the mean error is zero. An Error unless coverage is in (0, 1].
std::optional<double> reduction_at(const RiskCoverage& curve, double coverage);

}  // namespace roundtrip

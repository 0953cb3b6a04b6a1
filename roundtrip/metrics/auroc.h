#pragma once

#include <optional>
#include <span>

namespace roundtrip {

/// Probability that a positive case scores above a negative one, ties counting one half: the area
/// under the ROC curve. Of one positive it is the percentile rank among the negatives, in steps of
/// 1/size (halves with ties). None when either side is empty; NaN is an Error. Sorting time.
std::optional<double> auroc(std::span<const double> positives, std::span<const double> negatives);

/// AUROC of `score` for the flag "error above `threshold`". None when the flag is the same for all.
std::optional<double> auroc_of_errors_above(std::span<const double> score,
                                            std::span<const double> error, double threshold);

/// AUROC of `score` for the flag "error in its top `fraction`": strictly above the (1 - fraction)
/// quantile. None when the flag is the same for all rows.
std::optional<double> auroc_of_high_errors(std::span<const double> score,
                                           std::span<const double> error, double fraction = 0.2);

}  // namespace roundtrip

#pragma once

#include <optional>
#include <span>

namespace roundtrip {

enum class Correlation { pearson, spearman };

/// Pearson's linear correlation, in [-1, 1]. None when it is undefined: fewer than two pairs, or
/// one side constant. An Error when a value is not finite.
std::optional<double> pearson(std::span<const double> x, std::span<const double> y);

/// Spearman's rank correlation: Pearson's of the average ranks. None as above; infinities count by
/// their place, NaN is an Error.
std::optional<double> spearman(std::span<const double> x, std::span<const double> y);

/// One or the other.
std::optional<double> correlate(Correlation kind, std::span<const double> x,
                                std::span<const double> y);

}  // namespace roundtrip

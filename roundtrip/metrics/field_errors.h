#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace roundtrip {

// Errors of predicted fields against true ones, over values in any order. A prediction that is not
// finite has infinite error: a rollout that blew up is wrong, not missing. A true value that is not
// finite (or 1e150 and more) is an Error.

/// Root of mean square error over variance, as the Well has it: sqrt(MSE / (var + 1e-7)), var
/// unbiased. Of one field of one snapshot in physical units; average over snapshots afterwards. An
/// Error with fewer than two values.
double vrmse(std::span<const float> predicted, std::span<const float> truth);
double vrmse(std::span<const double> predicted, std::span<const double> truth);

/// Steps of a rollout, [first, last) counted from 0 at the first predicted frame, as a Python
/// slice.
struct StepWindow {
  int64_t first = 0;
  int64_t last = 0;
};
/// The windows of the Well's tables, "6:12" and "13:30".
inline constexpr StepWindow kWellWindows[] = {{6, 12}, {13, 30}};

/// Mean over a window's steps; none when the rollout ends before the window does.
std::optional<double> window_mean(std::span<const double> per_step, StepWindow window);

/// ||predicted - truth|| / ||truth||, both norms over all values given: all frames and points of
/// one trajectory. None when the truth is zero everywhere.
std::optional<double> relative_l2(std::span<const float> predicted, std::span<const float> truth);
std::optional<double> relative_l2(std::span<const double> predicted, std::span<const double> truth);

/// Its mean over trajectories of equal size, stored one after another; none when a truth is zero.
std::optional<double> mean_relative_l2(std::span<const float> predicted,
                                       std::span<const float> truth, int64_t trajectories);
std::optional<double> mean_relative_l2(std::span<const double> predicted,
                                       std::span<const double> truth, int64_t trajectories);

/// Mean of |predicted - truth| over all values. An Error without values.
double mean_absolute_error(std::span<const float> predicted, std::span<const float> truth);
double mean_absolute_error(std::span<const double> predicted, std::span<const double> truth);

}  // namespace roundtrip

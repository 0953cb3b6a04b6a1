// Kuleshov, Fenner & Ermon 2018; the measures are those of uncertainty-toolbox (Chung et al. 2021).
//
// A row is inside the central interval of probability p when |z| <= Phi^-1(1/2 + p/2). These bounds
// ascend with p, so one search among them places a row for all levels at once, and a running sum
// over the levels gives every count exactly: no sorting of rows, no loop over levels and rows.
#include "roundtrip/metrics/calibration_curve.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "roundtrip/base/error.h"
#include "roundtrip/metrics/normal.h"

namespace roundtrip {
namespace {

// Area between a line and zero over a step of `width`, heights `left` and `right`; where they
// differ in sign, of the two triangles on either side of the crossing.
double area(double left, double right, double width) {
  if (left * right >= 0) return 0.5 * width * std::abs(left + right);
  const double a = std::abs(left), b = std::abs(right);
  return 0.5 * width * (a * a + b * b) / (a + b);
}

double nominal_level(size_t j, size_t count) {
  return static_cast<double>(j) / static_cast<double>(count - 1);
}

// Half-widths of the central intervals, in deviations; the last is infinite.
std::vector<double> central_bounds(size_t count) {
  std::vector<double> bounds(count);
  for (size_t j = 0; j < count; ++j) bounds[j] = normal_quantile(0.5 + nominal_level(j, count) / 2);
  return bounds;
}

}  // namespace

std::vector<double> nominal_levels(int64_t levels) {
  std::vector<double> nominal(static_cast<size_t>(levels));
  for (size_t j = 0; j < nominal.size(); ++j) nominal[j] = nominal_level(j, nominal.size());
  return nominal;
}

CalibrationErrors calibration_errors(std::span<const double> nominal,
                                     std::span<const double> observed) {
  ensure(nominal.size() == observed.size() && nominal.size() >= 2, "a curve needs two points");
  const auto levels = static_cast<double>(nominal.size());
  CalibrationErrors errors;
  double square = 0;
  for (size_t j = 0; j < nominal.size(); ++j) {
    const double gap = observed[j] - nominal[j];
    errors.mace += std::abs(gap) / levels;
    square += gap * gap / levels;
    if (j > 0) {
      errors.ma += area(observed[j - 1] - nominal[j - 1], gap, nominal[j] - nominal[j - 1]);
    }
  }
  errors.rmsce = std::sqrt(square);
  return errors;
}

CalibrationCurve calibration_curve(std::span<const double> z, int64_t levels) {
  if (levels < 2) {
    throw Error("stats", fmt::format("calibration: expected at least 2 levels, found {}", levels));
  }
  if (z.empty()) throw Error("stats", "calibration: expected at least one row, found none");
  const auto count = static_cast<size_t>(levels);
  CalibrationCurve curve{
      .nominal = nominal_levels(levels), .observed = std::vector<double>(count), .errors = {}};
  // Kept for the usual number of levels: a table may have many small groups.
  static const std::vector<double> usual_bounds = central_bounds(100);
  const std::vector<double> bounds = count == 100 ? usual_bounds : central_bounds(count);
  std::vector<int64_t> first_inside(count);  // rows whose narrowest interval is this level's
  for (const double value : z) {
    if (std::isnan(value)) throw Error("stats", "calibration: expected numbers, found NaN");
    const auto bound = std::lower_bound(bounds.begin(), bounds.end(), std::abs(value));
    ++first_inside[static_cast<size_t>(bound - bounds.begin())];
  }
  int64_t inside = 0;
  for (size_t j = 0; j < count; ++j) {
    inside += first_inside[j];
    curve.observed[j] = static_cast<double>(inside) / static_cast<double>(z.size());
  }
  curve.errors = calibration_errors(curve.nominal, curve.observed);
  return curve;
}

CalibrationCurve calibration_curve(const Predictions& predictions, int64_t levels) {
  return calibration_curve(z_scores(predictions), levels);
}

}  // namespace roundtrip

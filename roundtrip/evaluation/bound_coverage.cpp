#include "roundtrip/evaluation/bound_coverage.h"

#include <algorithm>
#include <cmath>

#include "roundtrip/evaluation/cells.h"
#include "roundtrip/evaluation/depth_grid.h"

namespace roundtrip {
namespace {

constexpr double kBoundLevels[] = {0.9, 0.95};

/// Whether E was below a bound; none where the calibrator has no such bound.
struct Below {
  std::optional<bool> gaussian, conformal;
};

Below below(const Calibrator& calibrator, const Curve& curve, int64_t depth, double level,
            Calibrator::Holds holds) {
  const auto place = std::lower_bound(curve.depths.begin(), curve.depths.end(), depth);
  const auto at = static_cast<size_t>(place - curve.depths.begin());
  const std::vector<double> inputs = inputs_at(calibrator.features, curve, at);
  const bool readable =
      std::none_of(inputs.begin(), inputs.end(), [](double x) { return std::isnan(x); });
  if (!readable)
    return {false, calibrator.conformal.groups.empty() ? std::nullopt : std::optional(false)};
  const UpperError upper = calibrator.upper_error(curve, at, level, holds);
  const double e = curve.column(calibrator.key.target)[at];
  Below result{.gaussian = e <= upper.gaussian, .conformal = {}};
  if (upper.conformal) result.conformal = std::isfinite(e) && e <= *upper.conformal;
  return result;
}

// At all the depths given; one depth without a bound leaves none.
Below below_all(const Calibrator& calibrator, const Curve& curve,
                const std::vector<int64_t>& depths, double level, Calibrator::Holds holds) {
  Below all{.gaussian = true, .conformal = true};
  for (const int64_t depth : depths) {
    const Below here = below(calibrator, curve, depth, level, holds);
    all.gaussian = *all.gaussian && *here.gaussian;
    if (!here.conformal) {
      all.conformal.reset();
    } else if (all.conformal) {
      all.conformal = *all.conformal && *here.conformal;
    }
  }
  return all;
}

TableCell share_cell(const std::vector<std::optional<bool>>& below) {
  return number(
      estimate(below.size(), [&](std::span<const size_t> chosen) -> std::optional<double> {
        double sum = 0;
        for (const size_t i : chosen) {
          if (!below[i]) return std::nullopt;
          sum += *below[i] ? 1 : 0;
        }
        return sum / static_cast<double>(chosen.size());
      }));
}

std::vector<TableCell> bound_row(const Measurements& measured, const Calibrator& calibrator,
                                 std::string title, const std::vector<int64_t>& depths,
                                 Calibrator::Holds holds) {
  std::vector<TableCell> row = {word(std::move(title))};
  for (const double level : kBoundLevels) {
    std::vector<std::optional<bool>> gaussian, conformal;
    for (const Curve& curve : measured.test.curves) {
      const Below found = below_all(calibrator, curve, depths, level, holds);
      gaussian.push_back(found.gaussian);
      conformal.push_back(found.conformal);
    }
    row.push_back(share_cell(gaussian));
    row.push_back(share_cell(conformal));
  }
  return row;
}

}  // namespace

TableSection bound_coverage_table(const Measurements& measured, const Calibrator& calibrator) {
  TableSection table;
  table.title = "E below its upper bound";
  table.text = "Share of test rollouts whose error stays below the bound; calibrator " +
               calibrator.key.text() + ".";
  table.columns = {"depth", "Gaussian, 0.9", "conformal, 0.9", "Gaussian, 0.95", "conformal, 0.95"};
  std::vector<std::string> columns = columns_of(calibrator.features);
  columns.push_back(calibrator.key.target);
  const std::vector<int64_t> depths = shared_depths(measured.test, columns);
  for (const int64_t depth : depths) {
    table.rows.push_back(bound_row(measured, calibrator, std::to_string(depth), {depth},
                                   Calibrator::Holds::each_depth));
  }
  table.rows.push_back(
      bound_row(measured, calibrator, "all at once", depths, Calibrator::Holds::all_depths));
  table.notes.push_back(
      "The conformal bound at all depths at once is another, higher one than at each.");
  return table;
}

}  // namespace roundtrip

#include "roundtrip/evaluation/variance.h"

#include <fmt/format.h>

#include "roundtrip/base/error.h"
#include "roundtrip/metrics/variance_decomposition.h"
#include "roundtrip/evaluation/cells.h"
#include "roundtrip/evaluation/depth_grid.h"
#include "roundtrip/evaluation/needs.h"

namespace roundtrip {
namespace {

/// Log C and log E of the same trajectories at the same depths.
struct LogGrids {
  CurveGrid c, e;

  LogGrids chosen(std::span<const size_t> some) const {
    return {chosen_trajectories(c, some), chosen_trajectories(e, some)};
  }
};

using Values = std::vector<std::optional<double>>;

Values parts_of(const CurveGrid& grid) {
  const VarianceDecomposition parts = decompose_variance(grid);
  return {parts.between, parts.within, parts.icc(), parts.reliability()};
}

Values bounds_of(const LogGrids& grids) {
  const VarianceDecomposition c = decompose_variance(grids.c), e = decompose_variance(grids.e);
  const std::optional<double> noise = noise_correlation(grids.c, grids.e);
  const auto depths = static_cast<int64_t>(grids.c.depths.size());
  return {correlation_ceiling(c, e), noise,
          noise ? std::optional(correlation_ceiling(c, e, *noise)) : std::nullopt,
          recoverable_gain(e, c.reliability()), recoverable_gain(e, c.mean_reliability(depths))};
}

std::vector<Estimate> estimate_grids(const LogGrids& grids, Values (*values)(const LogGrids&)) {
  return estimate_each(grids.c.trajectories.size(), [&](std::span<const size_t> chosen) {
    return values(grids.chosen(chosen));
  });
}

std::vector<TableCell> parts_row(const char* title, const std::vector<Estimate>& parts) {
  std::vector<TableCell> row = {word(title)};
  for (const Estimate& part : parts) row.push_back(number(part));
  return row;
}

TableSection parts_table(const LogGrids& grids) {
  TableSection table;
  table.title = "Variance of log C and log E";
  table.text = fmt::format(
      "{} test trajectories at {} depths, the mean at each depth taken off: a "
      "factor of the trajectory and noise from depth to depth.",
      grids.c.trajectories.size(), grids.c.depths.size());
  table.columns = {"", "sigma_b", "sigma_w", "ICC", "reliability"};
  table.rows = {
      parts_row("log E", estimate_grids(grids, [](const LogGrids& g) { return parts_of(g.e); })),
      parts_row("log C", estimate_grids(grids, [](const LogGrids& g) { return parts_of(g.c); }))};
  return table;
}

TableSection bounds_table(const LogGrids& grids) {
  const std::vector<Estimate> bounds = estimate_grids(grids, bounds_of);
  TableSection table;
  table.title = "What the variance allows";
  table.text =
      "Bounds on the correlation of log C and log E at a fixed depth, and on what knowing "
      "the trajectory's factor gains (nats a row).";
  table.columns = {"", "value"};
  table.rows = {{word("ceiling of the correlation, noises independent"),
                 number(bounds[0])},
                {word("correlation of the noises"), number(bounds[1])},
                {word("ceiling with noises so correlated"), number(bounds[2])},
                {word("recoverable gain, C at one depth"), number(bounds[3])},
                {word("recoverable gain, mean of C over depths"), number(bounds[4])}};
  return table;
}

}  // namespace

std::vector<Section> evaluate_variance(const Measurements& measured) {
  const std::vector<int64_t> depths = need_depths(measured.test, "variance", {"C", "E"});
  if (depths.size() < 2 || measured.test.curves.size() < 2) {
    throw Error("evaluation",
                fmt::format("variance: expected two trajectories and two depths at least, "
                            "found {} and {} in {}",
                            measured.test.curves.size(), depths.size(), measured.test.where));
  }
  const LogGrids grids{log_of(grid_of(measured.test, "C", depths)),
                       log_of(grid_of(measured.test, "E", depths))};
  TableSection parts = parts_table(grids);
  parts.notes = left_out_note(measured.test, depths);
  return {parts, bounds_table(grids)};
}

}  // namespace roundtrip

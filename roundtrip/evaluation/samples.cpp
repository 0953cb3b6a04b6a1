#include "roundtrip/evaluation/samples.h"

#include <cmath>
#include <map>

#include "roundtrip/calibration/pixel_tally.h"
#include "roundtrip/evaluation/cells.h"
#include "roundtrip/evaluation/depth_grid.h"
#include "roundtrip/evaluation/needs.h"

namespace roundtrip {
namespace {

// Root mean square error over the samples' deviation, at every depth.
std::vector<std::optional<double>> dispersion(const CurveGrid& error, const CurveGrid& spread) {
  const std::vector<double> above = depth_means(error), below = depth_means(spread);
  std::vector<std::optional<double>> ratios;
  for (size_t i = 0; i < above.size(); ++i) ratios.emplace_back(std::sqrt(above[i] / below[i]));
  return ratios;
}

TableSection dispersion_table(const Measurements& measured) {
  const auto depths = need_depths(measured.test, "samples", {"E", "spread_seed"});
  const CurveGrid error = grid_of(measured.test, "E", depths);
  const CurveGrid spread = grid_of(measured.test, "spread_seed", depths);
  const auto found = estimate_each(error.trajectories.size(), [&](std::span<const size_t> chosen) {
    return dispersion(chosen_trajectories(error, chosen), chosen_trajectories(spread, chosen));
  });
  TableSection table;
  table.title = "Error over the spread of samples";
  table.text =
      "Root mean square error over the standard deviation of samples by other initial noise, "
      "latent. 1.41 if the truth were one more of the samples; more: they know too little of their "
      "error.";
  table.columns = {"depth", "ratio"};
  for (size_t i = 0; i < depths.size(); ++i) {
    table.rows.push_back({count(depths[i]), number(found[i])});
  }
  table.notes = left_out_note(measured.test, depths);
  return table;
}

/// Relative L2 of one trajectory: of one sample, and of the mean of all.
struct SampleErrors {
  double one = 0, mean = 0;
};

TableSection mean_table(const std::string& field, const std::vector<SampleErrors>& errors) {
  const auto found = estimate_each(errors.size(), [&](std::span<const size_t> chosen) {
    double one = 0, mean = 0;
    for (const size_t i : chosen) {
      one += errors[i].one / static_cast<double>(chosen.size());
      mean += errors[i].mean / static_cast<double>(chosen.size());
    }
    return std::vector<std::optional<double>>{one, mean, 100 * (1 - mean / one)};
  });
  TableSection table;
  table.title = "Mean of the samples: " + field;
  table.text = "Relative L2 of whole rollouts.";
  table.columns = {"of", "relative L2", "gain in percent"};
  table.rows = {{word("one sample"), number(found[0]), word("-")},
                {word("mean of all"), number(found[1]), number(found[2])}};
  return table;
}

}  // namespace

std::vector<Section> evaluate_samples(const Measurements& measured) {
  std::vector<Section> sections = {dispersion_table(measured)};
  if (!measured.pixels) return sections;
  std::map<std::string, std::map<int64_t, SampleErrors>> fields;
  for (const PixelRow& row : pixel_rows_from(*measured.pixels)) {
    SampleErrors& errors = fields[row.field][row.trajectory];
    if (row.object == "constant") errors.one = row.tally.relative_l2;
    if (row.object == "spread") errors.mean = row.tally.relative_l2;
  }
  for (const auto& [field, by_trajectory] : fields) {
    std::vector<SampleErrors> errors;
    for (const auto& [trajectory, pair] : by_trajectory) errors.push_back(pair);
    sections.push_back(mean_table(field, errors));
  }
  return sections;
}

}  // namespace roundtrip

#include "roundtrip/evaluation/fields.h"

#include <map>
#include <utility>

#include <fmt/format.h>

#include "roundtrip/base/error.h"
#include "roundtrip/calibration/plan.h"
#include "roundtrip/evaluation/cells.h"
#include "roundtrip/evaluation/scored_fit.h"

namespace roundtrip {
namespace {

/// C alone and the depth alone of one field.
struct FieldFits {
  std::string target;
  ScoredFit signal;
  ScoredFit depth;
};

std::vector<TableCell> field_row(const FieldFits& fits) {
  std::vector<TableCell> row = {word(fits.target.substr(2)), gain_cell(fits.signal, fits.depth)};
  for (const char* score : {"x68", "x95", "cov68", "cov95", "ma"}) {
    row.push_back(fits.signal.cell(score));
  }
  return row;
}

// Nats gained on the rows of one rollout that both predict: their sum and number.
struct RolloutGain {
  double sum = 0;
  double rows = 0;
};

std::map<int64_t, RolloutGain> gains_by_curve(const FieldFits& field) {
  std::map<std::pair<int64_t, int64_t>, double> depth;
  const auto nll = [](const HeldOut& rows, size_t i) {
    return gaussian_nll(rows.y[i], rows.mean[i], rows.sigma[i]);
  };
  const HeldOut& known = field.depth.predictions;
  for (size_t i = 0; i < known.size(); ++i) depth[{known.curve[i], known.depth[i]}] = nll(known, i);
  std::map<int64_t, RolloutGain> gains;
  const HeldOut& rows = field.signal.predictions;
  for (size_t i = 0; i < rows.size(); ++i) {
    const auto other = depth.find({rows.curve[i], rows.depth[i]});
    if (other == depth.end()) continue;
    gains[rows.curve[i]].sum += other->second - nll(rows, i);
    gains[rows.curve[i]].rows += 1;
  }
  return gains;
}

// Fields are measured on the same rollouts, so they are resampled together.
Estimate mean_gain(const std::vector<FieldFits>& fields, size_t rollouts) {
  std::vector<std::map<int64_t, RolloutGain>> all;
  for (const FieldFits& field : fields) all.push_back(gains_by_curve(field));
  return estimate(rollouts, [&](std::span<const size_t> chosen) -> std::optional<double> {
    double mean = 0;
    for (auto& gains : all) {
      RolloutGain total;
      for (const size_t i : chosen) {
        const auto found = gains.find(static_cast<int64_t>(i));
        if (found == gains.end()) continue;
        total.sum += found->second.sum;
        total.rows += found->second.rows;
      }
      if (total.rows == 0) return std::nullopt;
      mean += total.sum / total.rows / static_cast<double>(fields.size());
    }
    return mean;
  });
}

}  // namespace

std::vector<Section> evaluate_fields(const Measurements& measured) {
  std::vector<FieldFits> fields;
  for (const std::string& target : field_columns(measured.test.columns)) {
    auto signal = score_on_test(measured, {target, "C", "alone"});
    auto depth = score_on_test(measured, {target, "depth", "alone"});
    if (signal && depth) fields.push_back({target, *std::move(signal), *std::move(depth)});
  }
  if (fields.empty()) {
    throw Error("evaluation",
                fmt::format("fields: expected columns E_<field> in {} and calibrators for them, "
                            "found none; measure with `roundtrip cycle --signals "
                            "round_trip,error,fields`, for `roundtrip calibrate` too",
                            measured.test.where));
  }
  TableSection table;
  table.title = "Errors of decoded fields";
  table.text = "C alone on test trajectories; the gain is over the depth alone, nats a row.";
  table.columns = {"field", "gain", "x68", "x95", "in 1 sigma", "in 2 sigma", "area"};
  for (const FieldFits& fits : fields) table.rows.push_back(field_row(fits));
  std::vector<TableCell> mean(table.columns.size(), word(""));
  mean[0] = word("mean");
  mean[1] = number(mean_gain(fields, measured.test.curves.size()));
  table.rows.push_back(mean);
  return {table};
}

}  // namespace roundtrip

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

/// What the paper states of a field on MHD.
struct PaperField {
  std::string_view target;
  double gain, x68, x95, cov68, cov95, ma;
};

constexpr PaperField kPaperFields[] = {
    {"E_density", .73, 1.18, 1.39, .636, .925, .022},
    {"E_velocity_x", .73, 1.17, 1.37, .651, .931, .058},
    {"E_velocity_y", .72, 1.19, 1.38, .630, .937, .040},
    {"E_pressure", .67, 1.30, 1.64, .672, .951, .042},
    {"E_magnetic_field_x", .32, 1.27, 1.66, .743, .961, .024},
    {"E_magnetic_field_y", .36, 1.26, 1.57, .639, .920, .059},
};

std::optional<PaperField> paper_field(const Measurements& measured, std::string_view target) {
  if (!paper_value(measured, "mhd", 1)) return std::nullopt;
  for (const PaperField& field : kPaperFields) {
    if (field.target == target) return field;
  }
  return std::nullopt;
}

/// C alone and the depth alone of one field.
struct FieldFits {
  std::string target;
  ScoredFit signal;
  ScoredFit depth;
};

std::vector<TableCell> field_row(const Measurements& measured, const FieldFits& fits) {
  const auto paper = paper_field(measured, fits.target);
  const auto stated = [&](double PaperField::*member) -> std::optional<double> {
    return paper ? std::optional((*paper).*member) : std::nullopt;
  };
  const ScoredFit& fit = fits.signal;
  return {word(fits.target.substr(2)),
          gain_cell(fit, fits.depth, stated(&PaperField::gain)),
          fit.cell("x68", stated(&PaperField::x68)),
          fit.cell("x95", stated(&PaperField::x95)),
          fit.cell("cov68", stated(&PaperField::cov68)),
          fit.cell("cov95", stated(&PaperField::cov95)),
          fit.cell("ma", stated(&PaperField::ma))};
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
  for (const FieldFits& fits : fields) table.rows.push_back(field_row(measured, fits));
  std::vector<TableCell> mean(table.columns.size(), word(""));
  mean[0] = word("mean");
  mean[1] =
      number(mean_gain(fields, measured.test.curves.size()), paper_value(measured, "mhd", .59));
  table.rows.push_back(mean);
  return {table};
}

}  // namespace roundtrip

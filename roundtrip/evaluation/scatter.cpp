#include "roundtrip/evaluation/scatter.h"

#include <cmath>
#include <map>

#include <fmt/format.h>

#include "roundtrip/calibration/plan.h"
#include "roundtrip/evaluation/needs.h"

namespace roundtrip {
namespace {

/// Which columns a figure is made of.
struct ScatterColumns {
  std::string signal, error;
  std::vector<std::string> fields;         // E_<field>
  const Calibrator* calibrator = nullptr;  // of the error, from the signal and the depth
  std::map<std::string, const Calibrator*> field_calibrators = {};  // by E_<field>
};

bool finite_at(const Curve& curve, const ScatterColumns& columns, size_t at) {
  bool finite = std::isfinite(curve.column(columns.signal)[at]) &&
                std::isfinite(curve.column(columns.error)[at]);
  for (const std::string& field : columns.fields) {
    finite = finite && std::isfinite(curve.column(field)[at]);
  }
  return finite;
}

// A rollout that stops being finite ends there.
TrajectoryCurve trajectory_of(const Curve& curve, const ScatterColumns& columns) {
  TrajectoryCurve out{.label = fmt::format("{} {}", curve.split, curve.trajectory)};
  for (size_t i = 0; i < curve.size() && finite_at(curve, columns, i); ++i) {
    out.depth.push_back(curve.depths[i]);
    out.c.push_back(curve.column(columns.signal)[i]);
    out.e.push_back(curve.column(columns.error)[i]);
    for (const std::string& field : columns.fields) {
      out.field_errors[field.substr(2)].push_back(curve.column(field)[i]);
    }
    for (const auto& [field, calibrator] : columns.field_calibrators) {
      PredictedBand& band = out.field_bands[field.substr(2)];
      const GaussianPrediction prediction = calibrator->predict(curve, i);
      band.log_mean.push_back(prediction.mean);
      band.log_sigma.push_back(prediction.sigma);
    }
    if (columns.calibrator == nullptr) continue;
    const GaussianPrediction prediction = columns.calibrator->predict(curve, i);
    out.log_mean.push_back(prediction.mean);
    out.log_sigma.push_back(prediction.sigma);
  }
  return out;
}

CurvesSection curves_of(const CurveTable& table, const ScatterColumns& columns) {
  CurvesSection section;
  for (const Curve& curve : table.curves) {
    TrajectoryCurve trajectory = trajectory_of(curve, columns);
    if (!trajectory.depth.empty()) section.trajectories.push_back(std::move(trajectory));
  }
  return section;
}

}  // namespace

std::vector<Section> evaluate_scatter(const Measurements& measured) {
  const CurveTable& test = measured.test;
  need_columns(test, "scatter", {"C", "E"});
  ScatterColumns forward{.signal = "C", .error = "E", .fields = field_columns(test.columns)};
  forward.calibrator = measured.calibrators.find_if_there({"E", "C", "depth"});
  for (const std::string& field : forward.fields) {
    const Calibrator* found = measured.calibrators.find_if_there({field, "C", "depth"});
    if (found != nullptr) forward.field_calibrators[field] = found;
  }
  CurvesSection section = curves_of(test, forward);
  section.title = "Round-trip error and true error";
  section.text =
      "Test rollouts; bands are what C and the depth predict, of latents and of each field.";
  std::vector<Section> sections = {section};
  if (test.has("C_back") && test.has("E_back")) {
    ScatterColumns backward{.signal = "C_back", .error = "E_back", .fields = {}};
    backward.calibrator = measured.calibrators.find_if_there({"E_back", "C_back", "depth"});
    CurvesSection mirror = curves_of(test, backward);
    mirror.title = "The mirror: out backward and forward again";
    mirror.text = "The same trajectories, begun at their last frames.";
    sections.emplace_back(mirror);
  }
  return sections;
}

}  // namespace roundtrip

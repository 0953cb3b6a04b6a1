#include "roundtrip/calibration/plan.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "roundtrip/base/error.h"

namespace roundtrip {
namespace {

/// What is done with a signal when its column is there.
struct SignalPlan {
  const char* signal;
  bool control;
  std::vector<const char*> features;
};

const std::vector<SignalPlan>& control_plans() {
  static const std::vector<SignalPlan> rows = {
      {"none", true, {"alone"}},       {"depth", true, {"alone"}},
      {"seed_step", true, {"depth"}},  {"seed_knn", true, {"depth"}},
      {"seed_codec", true, {"depth"}},
  };
  return rows;
}

// Everything for the latent error.
const std::vector<SignalPlan>& latent_plans() {
  static const std::vector<SignalPlan> rows = {
      {"C",
       false,
       {"alone", "line", "isotonic", "depth", "prefix_mean", "trajectory_mean", "shape",
        "spread_seed", "spread_ancestral", "local_1", "local_2", "local_4"}},
      {"C_regenerated", false, {"alone", "depth"}},
      {"C_leakfree", false, {"alone", "depth"}},
      {"C_averaged", false, {"alone", "depth"}},
      {"spread_seed", false, {"alone", "depth"}},
      {"spread_ancestral", false, {"alone", "depth"}},
      {"fbf", false, {"alone", "depth"}},
      {"local_1", false, {"alone", "depth"}},
      {"local_2", false, {"alone", "depth"}},
      {"local_4", false, {"alone", "depth"}},
  };
  return rows;
}

const std::vector<SignalPlan>& field_plans() {
  static const std::vector<SignalPlan> rows = {
      {"C", false, {"alone", "depth", "prefix_mean", "trajectory_mean"}}};
  return rows;
}

const std::vector<SignalPlan>& backward_plans() {
  static const std::vector<SignalPlan> rows = {
      {"none", true, {"alone"}},
      {"depth", true, {"alone"}},
      {"C_back", false, {"alone", "line", "isotonic", "depth", "prefix_mean"}}};
  return rows;
}

bool allowed(const Features& features, const std::vector<std::string>& columns) {
  const std::vector<std::string> needed = columns_of(features);
  return std::all_of(needed.begin(), needed.end(), [&](const std::string& column) {
    return std::find(columns.begin(), columns.end(), column) != columns.end();
  });
}

void add(std::vector<PlannedFit>& plan, const std::string& target,
         const std::vector<SignalPlan>& rows, const std::vector<std::string>& columns) {
  for (const SignalPlan& row : rows) {
    for (const char* features : row.features) {
      if (!allowed(make_features(row.signal, features), columns)) continue;
      plan.push_back({.key = {target, row.signal, features}, .control = row.control});
    }
  }
}

}  // namespace

std::vector<std::string> target_columns(const std::vector<std::string>& columns) {
  std::vector<std::string> targets;
  for (const std::string& column : columns) {
    if (column == "E" || (column.starts_with("E_") && column != "E_pair")) {
      targets.push_back(column);
    }
  }
  return targets;
}

std::vector<std::string> field_columns(const std::vector<std::string>& columns) {
  std::vector<std::string> fields = target_columns(columns);
  std::erase_if(fields, [](const std::string& t) { return t == "E" || t == "E_back"; });
  return fields;
}

std::vector<PlannedFit> calibration_plan(const std::vector<std::string>& columns) {
  std::vector<PlannedFit> plan;
  const std::vector<std::string> targets = target_columns(columns);
  if (targets.empty()) {
    throw Error("calibrate", fmt::format("expected an error column (E, E_back or E_<field>), "
                                         "found {}",
                                         fmt::join(columns, ", ")));
  }
  for (const std::string& target : targets) {
    if (target == "E_back") {
      add(plan, target, backward_plans(), columns);
      continue;
    }
    add(plan, target, control_plans(), columns);
    add(plan, target, target == "E" ? latent_plans() : field_plans(), columns);
  }
  return plan;
}

}  // namespace roundtrip

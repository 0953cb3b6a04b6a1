#include "roundtrip/calibration/plan.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "roundtrip/base/error.h"
#include "roundtrip/calibration/signal_table.h"

namespace roundtrip {
namespace {

bool allowed(const Features& features, const std::vector<std::string>& columns) {
  const std::vector<std::string> needed = columns_of(features);
  return std::all_of(needed.begin(), needed.end(), [&](const std::string& column) {
    return std::find(columns.begin(), columns.end(), column) != columns.end();
  });
}

void add(std::vector<PlannedFit>& plan, const CalibratorKey& key,
         const std::vector<std::string>& columns) {
  if (!allowed(make_features(key.signal, key.features), columns)) return;
  plan.push_back({.key = key, .baseline = is_baseline(key.signal)});
}

// The calibrators of a target that the signal table has for columns of one role.
void add_role(std::vector<PlannedFit>& plan, const std::string& target, SignalRole role,
              const std::vector<std::string>& columns) {
  for (const SignalColumn* column : columns_of_role(role)) {
    const bool of_field = is_field_error(target);
    if (!of_field && column->target != target) continue;
    for (const std::string_view features : of_field ? column->field_features : column->features) {
      add(plan, {target, std::string(column->name), std::string(features)}, columns);
    }
  }
}

}  // namespace

std::vector<std::string> target_columns(const std::vector<std::string>& columns) {
  std::vector<std::string> targets;
  for (const std::string& column : columns) {
    const SignalColumn* known = find_column(column);
    const bool error = known != nullptr && known->role == SignalRole::error;
    if (error || is_field_error(column)) targets.push_back(column);
  }
  return targets;
}

std::vector<std::string> field_columns(const std::vector<std::string>& columns) {
  std::vector<std::string> fields;
  std::copy_if(columns.begin(), columns.end(), std::back_inserter(fields), is_field_error);
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
    for (const char* nothing : {"none", "depth"}) add(plan, {target, nothing, "alone"}, columns);
    add_role(plan, target, SignalRole::baseline, columns);
    add_role(plan, target, SignalRole::signal, columns);
  }
  return plan;
}

}  // namespace roundtrip

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "roundtrip/base/registry.h"

namespace roundtrip {

/// An out-of-distribution scenario: trajectories of a kind that no training saw.
struct ScenarioEntry {
  std::string_view name;
  std::string_view summary;
  std::string_view system;             // whose settings these are
  std::vector<std::string> overrides;  // of the system's preset
  int64_t trajectories = 20;           // a start without chance needs one
};

/// All scenarios, by hand.
const Registry<ScenarioEntry>& scenarios();

/// Those of one system, in the list's order.
std::vector<const ScenarioEntry*> scenarios_of(std::string_view system);

}  // namespace roundtrip

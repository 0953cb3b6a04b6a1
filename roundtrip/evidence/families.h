#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "roundtrip/base/registry.h"

namespace roundtrip {

/// Trajectories of a kind that no training saw.
struct FamilyEntry {
  std::string_view name;
  std::string_view summary;
  std::string_view system;             // whose settings these are
  std::vector<std::string> overrides;  // of the system's preset
  int64_t trajectories = 20;           // a start without chance needs one
};

/// All families, by hand.
const Registry<FamilyEntry>& families();

/// Those of one system, in the list's order.
std::vector<const FamilyEntry*> families_of(std::string_view system);

}  // namespace roundtrip

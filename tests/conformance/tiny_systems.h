#pragma once

#include <map>
#include <string>
#include <vector>

namespace roundtrip {

// Settings that make a trajectory cheap.
inline const std::map<std::string, std::vector<std::string>> kTiny = {
    {"mhd", {"resolution=16", "frames=4", "end_time=0.03"}},
    {"navier_stokes", {"resolution=16", "solve_resolution=32", "frames=4", "end_time=1.3"}},
    {"radiative_layer", {"resolution=8", "frames=4", "end_time=1"}},
    {"talking_head", {"resolution=32", "frames=4"}},
    {"linear_gaussian", {"resolution=4", "frames=4"}},
};

/// Those of a system; of one that is not listed, few frames alone.
inline std::vector<std::string> tiny_settings(const std::string& system) {
  const auto found = kTiny.find(system);
  return found == kTiny.end() ? std::vector<std::string>{"frames=4"} : found->second;
}

}  // namespace roundtrip

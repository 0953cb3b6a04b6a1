#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "roundtrip/rollout/surrogate.h"

namespace roundtrip {

/// What each signal's columns cost at one depth, in plain rollouts to that depth: steps counted,
/// the rollout itself among them. Signals that need no model's step cost nothing but it.
std::map<std::string, double> signal_costs(const Surrogate& surrogate,
                                           const std::vector<std::string>& signals, int64_t depth);

}  // namespace roundtrip

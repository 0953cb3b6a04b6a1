#pragma once

#include <optional>

#include "roundtrip/report/records.h"
#include "roundtrip/evaluation/measurements.h"

namespace roundtrip {

/// How often the alarm over a whole rollout (level 0.95) rings on test rollouts, where it should at
/// most one time in twenty, and on every scenario. None when the calibrators have no alarm on C.
std::optional<TableSection> alarm_rates_table(const Measurements& measured);

}  // namespace roundtrip

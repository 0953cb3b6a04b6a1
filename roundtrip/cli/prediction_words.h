#pragma once

#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "roundtrip/calibration/predicted_error.h"

// What `demo` and `trust` print alike of a predicted error.
namespace roundtrip {

/// "0.121 to 0.259"
std::string band_words(const ErrorBounds& bounds);

/// Adds `alarm`, `alarm_statistic` and `alarm_threshold` to a row; null where there is no alarm.
void add_alarm(nlohmann::ordered_json& row, const std::optional<AlarmState>& alarm);

}  // namespace roundtrip

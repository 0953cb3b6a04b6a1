#include "roundtrip/cli/prediction_words.h"

#include <fmt/format.h>

namespace roundtrip {

std::string band_words(const ErrorBounds& bounds) {
  return fmt::format("{:.3g} to {:.3g}", bounds.low, bounds.high);
}

void add_alarm(nlohmann::ordered_json& row, const std::optional<AlarmState>& alarm) {
  using Json = nlohmann::ordered_json;
  row["alarm"] = alarm ? Json(alarm->raised) : Json();
  row["alarm_statistic"] = alarm ? Json(alarm->statistic) : Json();
  row["alarm_threshold"] = alarm ? Json(alarm->threshold) : Json();
}

}  // namespace roundtrip

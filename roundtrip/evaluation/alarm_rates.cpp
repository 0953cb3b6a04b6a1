#include "roundtrip/evaluation/alarm_rates.h"

#include <cmath>

#include <fmt/format.h>

#include "roundtrip/evaluation/cells.h"

namespace roundtrip {
namespace {

constexpr double kAlarmLevel = 0.95;

const Alarm* alarm_on(const CalibratorSet& calibrators, std::string_view signal) {
  for (const Alarm& alarm : calibrators.alarms) {
    if (alarm.signal == signal && alarm.threshold(kAlarmLevel)) return &alarm;
  }
  return nullptr;
}

TableCell alarm_cell(const Alarm& alarm, const CurveTable& table) {
  if (!table.has(alarm.column_read())) return number(std::nullopt);
  std::vector<double> rings;
  for (const Curve& curve : table.curves) {
    rings.push_back(alarm.statistic(curve) > *alarm.threshold(kAlarmLevel) ? 1 : 0);
  }
  return number(estimate(rings.size(), [&](std::span<const size_t> chosen) {
    double sum = 0;
    for (const size_t i : chosen) sum += rings[i];
    return std::optional(sum / static_cast<double>(chosen.size()));
  }));
}

}  // namespace

std::optional<TableSection> alarm_rates_table(const Measurements& measured) {
  if (alarm_on(measured.calibrators, "C") == nullptr) return std::nullopt;
  TableSection table;
  table.title = "The alarm over whole rollouts";
  table.text =
      "Share of rollouts on which it rings: of usual ones at most 0.05, in the mean over draws of "
      "the rollouts that made the threshold.";
  table.columns = {"rollouts", "number"};
  table.rows = {{word("test"), count(static_cast<int64_t>(measured.test.curves.size()))}};
  for (const auto& [name, scenario] : measured.scenarios) {
    table.rows.push_back({word(name), count(static_cast<int64_t>(scenario.curves.size()))});
  }
  for (const char* signal : {"C", "spread_seed"}) {
    const Alarm* alarm = alarm_on(measured.calibrators, signal);
    if (alarm == nullptr) continue;
    table.columns.push_back(fmt::format("rings on {}", signal));
    table.rows[0].push_back(alarm_cell(*alarm, measured.test));
    size_t row = 1;
    for (const auto& [name, scenario] : measured.scenarios) {
      table.rows[row++].push_back(alarm_cell(*alarm, scenario));
    }
    if (std::isinf(*alarm->threshold(kAlarmLevel))) {
      table.notes.push_back(
          fmt::format("The alarm on {} never rings: {} trajectories are too few "
                      "for its threshold.",
                      signal, alarm->trajectories));
    } else {
      // The rate given the threshold follows a beta distribution.
      table.notes.push_back(
          fmt::format("{} rollouts made the threshold on {}: between draws of them the rate "
                      "deviates by {:.3f}.",
                      alarm->trajectories, signal,
                      std::sqrt(0.05 * 0.95 / static_cast<double>(alarm->trajectories + 2))));
    }
  }
  return table;
}

}  // namespace roundtrip

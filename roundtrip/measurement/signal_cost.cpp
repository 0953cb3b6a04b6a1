#include "roundtrip/measurement/signal_cost.h"

#include "roundtrip/trust/measure.h"

namespace roundtrip {

std::map<std::string, double> signal_costs(const Surrogate& surrogate,
                                           const std::vector<std::string>& signals, int64_t depth) {
  const int64_t seeds = surrogate.stepper->contexts();
  std::map<std::string, double> costs;
  for (const std::string& name : signals) {
    const Meter meter(surrogate, {.depths = {depth}, .signals = {name}});
    const auto steps = static_cast<double>(meter.row_steps(seeds, seeds + depth));
    for (const std::string& column : meter.columns()) {
      costs[column] = steps / static_cast<double>(depth);
    }
  }
  return costs;
}

}  // namespace roundtrip

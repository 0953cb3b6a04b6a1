#include "roundtrip/train/learning_rate.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace roundtrip {

double LearningRate::at(int64_t step, int64_t steps) const {
  const double risen =
      warmup > 0 ? std::min(1.0, static_cast<double>(step + 1) / static_cast<double>(warmup)) : 1.0;
  if (decay == "constant" || steps <= warmup) return peak * risen;
  const double gone = std::clamp(
      static_cast<double>(step - warmup) / static_cast<double>(steps - warmup), 0.0, 1.0);
  const double fallen = 0.5 * (1 + std::cos(std::numbers::pi * gone));
  return peak * risen * (final + (1 - final) * fallen);
}

void bind(LearningRate& rate, const std::string& prefix, Settings& settings) {
  settings.add(prefix + "learning_rate", rate.peak, "largest learning rate").at_least(0);
  settings.add(prefix + "warmup", rate.warmup, "steps over which it rises from zero").at_least(0);
  settings.add(prefix + "decay", rate.decay, "how it falls afterwards")
      .one_of({"cosine", "constant"});
  settings.add(prefix + "final", rate.final, "where the cosine ends, as a fraction of the peak")
      .within(0, 1);
}

}  // namespace roundtrip

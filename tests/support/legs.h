#pragma once

#include <cstdint>
#include <vector>

#include "roundtrip/rollout/batch_scheduler.h"

namespace roundtrip {

/// The frames where legs end, (legs, F, h, w), when at most `batch` rows are stepped at a time.
inline torch::Tensor last_frames(Stepper& stepper, const std::vector<Leg>& legs, int64_t batch,
                                 bool one_by_one = false) {
  std::vector<torch::Tensor> last(legs.size());
  BatchScheduler scheduler({&stepper}, batch, one_by_one);
  for (size_t i = 0; i < legs.size(); ++i) {
    Leg leg = legs[i];
    leg.stepped = [&last, i](int64_t, const torch::Tensor& context) {
      last[i] = context[-1].clone();
    };
    scheduler.add(std::move(leg));
  }
  scheduler.run();
  return torch::stack(last);
}

}  // namespace roundtrip

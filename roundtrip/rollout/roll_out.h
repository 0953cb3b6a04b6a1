#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include <torch/types.h>

#include "roundtrip/rollout/rollout.h"

namespace roundtrip {

/// Rolls rollouts out to their depth, all together in batches of at most `batch` rows. The frames
/// of a rollout are its own; `advanced` is called with the rows that each batch stepped.
void roll_out(std::vector<Rollout>& rollouts, Stepper& stepper, int64_t batch,
              const std::function<void(int64_t rows)>& advanced = {});

/// Windows after `steps` steps, all rows together in every call of the stepper; no gradients.
FrameWindows roll_out(FrameWindows windows, Stepper& stepper, int64_t steps);

}  // namespace roundtrip

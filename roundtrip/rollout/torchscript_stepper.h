#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "roundtrip/rollout/stepper.h"

namespace roundtrip {

/// A user's own model, from a TorchScript file:
///
///     forward(window (B, n, F, H, W) float32 farthest to nearest, anchor (B, F, H, W),
///             target_index (B) int64, direction (B) int64, +1 or -1) -> (B, F, H, W)
///
/// It is tried once, on zeros, in both directions; an Error names what does not fit. `contexts` is
/// n, unless the module has an attribute `contexts` of its own. What the module computes is its
/// own affair: it should be in evaluation mode and draw no random numbers.
std::unique_ptr<Stepper> make_torchscript_stepper(const std::string& path, const FrameShape& frame,
                                                  int64_t contexts);

}  // namespace roundtrip

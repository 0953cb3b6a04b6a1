#include "roundtrip/rollout/stepper.h"

#include "roundtrip/base/error.h"

namespace roundtrip {

torch::Tensor Stepper::vjp(const FrameWindows&, const torch::Tensor&) {
  throw Error("model", "expected a model that gives gradients, found one that does not");
}

}  // namespace roundtrip

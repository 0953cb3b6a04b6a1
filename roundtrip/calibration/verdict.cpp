#include "roundtrip/calibration/verdict.h"

#include <fmt/format.h>

namespace roundtrip {
namespace {

bool counts(const ClusteredMean& gain) { return gain.mean > 2 * gain.standard_error; }

std::string words(const ClusteredMean& gain) {
  return fmt::format("{:+.2f} +-{:.2f} nats a row", gain.mean, gain.standard_error);
}

}  // namespace

std::string verdict(const CycleGain& gain) {
  std::string text = fmt::format("C with depth: {} over the depth alone", words(gain.over_depth));
  if (!gain.control.empty()) {
    text += fmt::format(", {} over the best control ({})", words(gain.over_control), gain.control);
  }
  if (!counts(gain.over_depth)) {
    // A gain within its error is no evidence either way.
    return text + (gain.over_depth.mean > 0
                       ? ". Whether it tells more than the depth, these trajectories do not show."
                       : ". It tells nothing here that the depth does not.");
  }
  if (gain.control.empty()) return text + ". It tells of the rollout.";
  if (counts(gain.over_control)) return text + ". It tells what seeds and depth do not.";
  return text + ". It helps, but a control that never rolls out does as well.";
}

}  // namespace roundtrip

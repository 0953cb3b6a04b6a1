#include "roundtrip/calibration/verdict.h"

#include <fmt/format.h>

namespace roundtrip {
namespace {

enum Gained { kBetter, kNotShown, kWorse };

Gained gained(const ClusteredMean& gain) {
  if (gain.mean > 2 * gain.standard_error) return kBetter;
  return gain.mean < -2 * gain.standard_error ? kWorse : kNotShown;
}

// By the finding on the depth, then on the baseline, whose name is {}.
constexpr const char* kBothSentences[3][3] = {
    {"It beats the depth alone and every baseline of the seed frames.",
     "It beats the depth alone; whether it beats {}, which takes no rollout, these trajectories do "
     "not show.",
     "It beats the depth alone, but {}, which takes no rollout, predicts the error better."},
    {"Whether it beats the depth alone, these trajectories do not show; it beats every baseline of "
     "the seed frames.",
     "Whether it beats the depth alone or {}, which takes no rollout, these trajectories do not "
     "show.",
     "Whether it beats the depth alone, these trajectories do not show; {}, which takes no "
     "rollout, predicts the error better."},
    {"The depth alone predicts the error better, though every baseline of the seed frames predicts "
     "it worse.",
     "The depth alone predicts the error better; whether {}, which takes no rollout, does too, "
     "these trajectories do not show.",
     "The depth alone and {}, which takes no rollout, both predict the error better."}};

constexpr const char* kDepthSentences[3] = {
    "It beats the depth alone.", "Whether it beats the depth alone, these trajectories do not show.",
    "The depth alone predicts the error better."};

std::string words(const ClusteredMean& gain) {
  return fmt::format("{:+.2f} +-{:.2f} nats a row", gain.mean, gain.standard_error);
}

}  // namespace

std::string verdict(const CycleGain& gain) {
  const std::string depth =
      fmt::format("C with depth: {} over the depth alone", words(gain.over_depth));
  const Gained over_depth = gained(gain.over_depth);
  if (gain.baseline.empty() || gain.baseline == "depth" || gain.baseline == "none") {
    return fmt::format("{}. {}", depth, kDepthSentences[over_depth]);
  }
  const char* both = kBothSentences[over_depth][gained(gain.over_baseline)];
  return fmt::format("{}, {} over the best baseline ({}). {}", depth, words(gain.over_baseline),
                     gain.baseline, fmt::format(fmt::runtime(both), gain.baseline));
}

}  // namespace roundtrip

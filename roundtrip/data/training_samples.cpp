#include "roundtrip/data/training_samples.h"

#include <algorithm>

#include <fmt/format.h>

#include "roundtrip/base/error.h"
#include "roundtrip/base/random.h"
#include "roundtrip/data/sample_order.h"

namespace roundtrip {
namespace {

// Draws of one sample, by position.
enum Draw : uint64_t { kDirection, kAugment, kAnchor };

void check_share(const char* name, double value) {
  if (value >= 0 && value <= 1) return;
  throw Error("training", fmt::format("{}: expected 0 to 1, found {}", name, value));
}

}  // namespace

TrainingSamples::TrainingSamples(const std::vector<int64_t>& lengths,
                                 const SamplingOptions& options)
    : options_(options),
      nearest_anchor_(options.full_windows ? options.contexts : 1),
      first_step_{0} {
  check_share("p_bwd", options.p_bwd);
  check_share("anchor_augmentation", options.anchor_augmentation);
  ensure(!lengths.empty() && options.contexts >= 1, "training: trajectories and context frames");
  for (const int64_t length : lengths) {
    ensure(length > nearest_anchor_, "training: trajectories longer than a window");
    first_step_.push_back(first_step_.back() + length - nearest_anchor_);
  }
}

TrainingSample TrainingSamples::at(int64_t index) const {
  ensure(index >= 0, "training: samples count from 0");
  const auto epoch = static_cast<uint64_t>(index / per_epoch());
  const int64_t step = SampleOrder(options_.seed, epoch, per_epoch()).at(index % per_epoch());
  const auto next = std::upper_bound(first_step_.begin(), first_step_.end(), step);
  const int64_t first = step - *(next - 1);
  const int64_t last = *next - *(next - 1) + nearest_anchor_ - 1;  // frame T - 1

  const RandomStream draws(options_.seed, "data.training_sample", static_cast<uint64_t>(index));
  const bool backward = draws.uniform(kDirection) < options_.p_bwd;
  const int64_t target = backward ? first : first + nearest_anchor_;
  int64_t anchor = backward ? last : 0;
  if (draws.uniform(kAugment) < options_.anchor_augmentation) {
    const int64_t choices = (backward ? last - target : target) - nearest_anchor_ + 1;
    const auto drawn = static_cast<int64_t>(draws.uniform(kAnchor) * static_cast<double>(choices));
    anchor = backward ? target + nearest_anchor_ + drawn : drawn;
  }
  return {next - first_step_.begin() - 1,
          window_at(target, backward ? -1 : 1, options_.contexts, anchor)};
}

}  // namespace roundtrip

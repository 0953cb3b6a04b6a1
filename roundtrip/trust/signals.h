#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "roundtrip/base/catalog.h"
#include "roundtrip/data/dataset.h"
#include "roundtrip/models/codec.h"
#include "roundtrip/trust/signal.h"

namespace roundtrip {

/// What signals are made from, the same for all runs.
struct SignalSetup {
  std::vector<int64_t> live;     // latent channels that count
  FrameLayout layout;            // of the frames
  std::shared_ptr<Codec> codec;  // null where frames are latents: no signal of fields then
  int64_t samples = 5;           // S, of spreads and averages
  /// Seed windows of the training split, (N, K, F, h, w); asked for by `seed_knn` only.
  std::function<torch::Tensor()> training_windows;
  /// The number, in the runs' schedulers, of the stepper of another sample (Surrogate::sample).
  std::function<size_t(int64_t sample, bool ancestral)> stepper_of;
};

/// One row per signal.
struct SignalRow {
  std::string_view name;
  std::string_view summary;
  /// truth: frames to the depth, which only a test knows; whole: all of the trajectory.
  enum class Needs { seed_frames, truth, whole } needs;
  enum class Work { none, steps } work;                 // steps: legs of its own
  enum class Others { none, noise, ancestral } others;  // other rollouts that it compares
  std::vector<std::string> (*columns)(const SignalSetup& setup);
  std::unique_ptr<Signal> (*make)(const SignalSetup& setup, MeasuredRun& run);
  bool decoded = false;  // looks at the frames themselves, not at latents alone
};

/// All signals, by hand: adding one is a file pair, a test and a row here. Their columns, in this
/// order, are those of the table.
const Catalog<SignalRow>& signals();

/// The rows of the given names, in the list's order; an Error that lists the known ones for others.
std::vector<const SignalRow*> find_signals(const std::vector<std::string>& names);

}  // namespace roundtrip

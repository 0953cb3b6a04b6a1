#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "roundtrip/calibration/signal_table.h"
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

/// The signal of an entry of signals(), for one run.
std::unique_ptr<Signal> make_signal(const SignalEntry& entry, const SignalSetup& setup,
                                    MeasuredRun& run);

}  // namespace roundtrip

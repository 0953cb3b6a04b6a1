#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <torch/types.h>

#include "roundtrip/rollout/batch_scheduler.h"
#include "roundtrip/rollout/rollout.h"
#include "roundtrip/trust/latent_error.h"

namespace roundtrip {

struct SignalSetup;

/// One trajectory while it is measured.
struct MeasuredRun {
  Rollout rollout;       // the rollout, forward from the first frames
  torch::Tensor truth;   // (T, F, h, w) latents, from the same start; undefined if unknown
  torch::Tensor fields;  // (T, C, H, W) the frames themselves, physical; of unknown ones: none
  std::vector<int64_t> depths;  // to be recorded, ascending
  BatchScheduler* scheduler = nullptr;
  /// Stores a number of the table; `depth` is one of `depths`.
  std::function<void(const std::string& column, int64_t depth, double value)> record;

  bool recorded(int64_t depth) const;

  /// Asks for `steps` steps back from `depth`, the depth just reached. All that is asked for at one
  /// depth shares one leg.
  void ask_return(int64_t depth, int64_t steps,
                  std::function<void(int64_t step, const torch::Tensor& context)> stepped);
  /// Starts the leg that was asked for; once all signals have seen a depth.
  void start_return();

 private:
  struct Asked {
    int64_t steps = 0;
    std::function<void(int64_t step, const torch::Tensor& context)> stepped;
  };
  int64_t asked_depth_ = 0;
  std::vector<Asked> asked_;
};

/// Mean squared error of the seed frames that a leg brings back.
struct ReturnedError {
  double over_seed_frames = 0;  // over all of them, the paper's Eq. 3: copies count as zero
  double over_regenerated = 0;  // over those the leg has made anew
};

/// Numbers of one run per depth, from the rollout and from legs of its own. It follows the
/// rollout and adds legs to the run's scheduler; what they find it records.
class Signal {
 public:
  Signal(const SignalSetup& setup, MeasuredRun& run);
  virtual ~Signal() = default;
  Signal(const Signal&) = delete;
  Signal& operator=(const Signal&) = delete;

  /// Before the first step.
  virtual void begin() {}
  /// When depth i of the rollout is there, i = 1, 2, ...; every depth, recorded or not.
  virtual void reached(int64_t depth) { (void)depth; }
  /// When the last depth is there.
  virtual void ended() {}

 protected:
  const SignalSetup& setup() const { return setup_; }
  MeasuredRun& run() const { return run_; }
  const LatentError& error() const { return error_; }
  /// Of `depth` steps back from depth `depth`, which regenerate the oldest frames of the rollout's
  /// seed window; `context` is the leg's after them.
  ReturnedError returned_error(const Rollout& rollout, int64_t depth,
                               const torch::Tensor& context) const;

 private:
  const SignalSetup& setup_;
  MeasuredRun& run_;
  LatentError error_;
};

}  // namespace roundtrip

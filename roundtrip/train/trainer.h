#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <torch/types.h>

#include "roundtrip/base/settings.h"
#include "roundtrip/distributed/process_group.h"
#include "roundtrip/train/adamw.h"
#include "roundtrip/train/learning_rate.h"

namespace torch::nn {
class Module;
}

namespace roundtrip {

/// What a validation found. The weights with the lowest score are the ones kept.
struct Validation {
  double score = 0;
  std::vector<std::pair<std::string, double>> values;  // also logged
};

/// Something to train: a module, a stream of samples numbered from 0, a loss, a validation.
class TrainingTask {
 public:
  using Batch = std::vector<torch::Tensor>;

  virtual ~TrainingTask() = default;
  virtual torch::nn::Module& module() = 0;

  /// The samples of step `step` with these global numbers, as tensors whose first axis is the
  /// sample. Runs in the background, so it touches neither the module nor the device.
  virtual Batch load(int64_t step, const std::vector<int64_t>& samples) const = 0;
  /// Mean loss over a batch of step `step`; a scalar with its graph.
  virtual torch::Tensor loss(int64_t step, const Batch& batch) = 0;
  /// Validates the module as it is now, without gradients. Called on every rank.
  virtual Validation validate() = 0;
};

struct TrainingOptions {
  int64_t steps = 10000;    // optimiser steps
  int64_t batch = 16;       // samples per step, over all ranks
  int64_t micro_batch = 0;  // samples in memory at a time on a rank; 0 = all
  LearningRate rate;
  AdamWOptions adamw;
  int64_t log_every = 100;          // steps between lines of the log
  int64_t validate_every = 1000;    // steps between validations
  int64_t checkpoint_every = 1000;  // steps between checkpoints
};

/// Lists the settings under `prefix` ("denoiser_training.").
void bind(TrainingOptions& options, const std::string& prefix, Settings& settings);

/// An Error unless the ranks can share a batch evenly; `settings` names the section of the config.
void check_batch(const TrainingOptions& options, const std::string& settings,
                 const ProcessGroup& ranks);

/// One run of a stage of training: where it works, and its callbacks.
struct TrainingRun {
  std::string stage;             // "codec", "denoiser": names progress, log lines and the folder
  std::string settings;          // "denoiser_training": the section of the config, for messages
  std::filesystem::path folder;  // of the run: metrics.jsonl and <stage>/checkpoint-*
  bool resume = false;           // go on from the newest checkpoint
  std::string fingerprint;       // of the settings: a checkpoint of other settings is refused
  bool validate_start = false;   // the weights it starts from may be the best: a fine-tune
  std::function<void(const std::string&)> log;                             // messages for the user
  std::function<void(int64_t done, int64_t total, double loss)> progress;  // after every step
};

struct TrainingResult {
  int64_t steps = 0;
  int64_t best_step = 0;  // of the weights kept
  double best_score = 0;
  double waiting = 0;  // fraction of the time spent waiting for data, this process
  torch::Tensor best;  // averaged weights of the best validation, flat
};

/// Trains until `steps`, leaving the best averaged weights in the module.
///
/// SIGINT or SIGTERM: a checkpoint is written and Interrupted thrown. A loss or gradient that is
/// not finite: an Error that names the last good checkpoint; one too when no validation gave a
/// finite score, since then nothing speaks for any weights. Runs with the same settings give the
/// same weights, bit for bit, through any stop, kill and resume; another number of ranks or another
/// micro-batch gives them to rounding.
TrainingResult train(TrainingTask& task, const TrainingOptions& options, const TrainingRun& run,
                     ProcessGroup& ranks);

}  // namespace roundtrip

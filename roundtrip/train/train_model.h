#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "roundtrip/distributed/process_group.h"
#include "roundtrip/models/latent_statistics.h"
#include "roundtrip/train/train_config.h"

namespace roundtrip {

/// Callbacks of a training.
struct TrainListener {
  std::function<void(const std::string&)> log;  // one line
  /// Progress of a stage in a unit ("frames", "samples"); `note` is a short text such as the loss.
  std::function<void(const std::string& stage, const std::string& unit, int64_t done, int64_t total,
                     const std::string& note)>
      progress;
};

struct TrainRequest {
  TrainConfig config;
  std::filesystem::path out;  // the bundle; work in progress lives in its folder `run`
  bool resume = false;        // continue what `run` holds
  bool force = false;         // replace a finished bundle, or work that is not to be continued
};

/// One stage in numbers.
struct StageSummary {
  std::string stage;
  int64_t parameters = 0;
  TrainingResult result;
};

struct TrainSummary {
  std::vector<StageSummary> stages;
  std::vector<LatentChannel> channels;  // of the codec
};

/// Trains codec and denoiser and writes a bundle: data -> normalisation -> codec -> latents of the
/// training and selection splits -> denoiser -> (fine-tune) -> bundle. Every stage continues where
/// a stopped run left it. Called on every rank; rank 0 writes.
TrainSummary train_model(const TrainRequest& request, ProcessGroup& ranks,
                         const TrainListener& listener);

}  // namespace roundtrip

#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "roundtrip/data/frame_store.h"
#include "roundtrip/data/normaliser.h"
#include "roundtrip/models/codec_network.h"
#include "roundtrip/train/trainer.h"

namespace roundtrip {

/// Trains a codec network on single frames of the training split; an epoch shows every frame once.
///
/// Validated on frames of the selection split by VRMSE, the error of a reconstruction from the
/// posterior mean over the field's own spread, per snapshot and field:
/// sqrt(<(u' - u)^2> / (var(u) + 1e-7)), in normalised units, var unbiased. The score is the mean
/// over fields.
class CodecTask : public TrainingTask {
 public:
  struct Parts {
    std::shared_ptr<CodecNetwork> network;
    const FrameStore& frames;  // of the training split
    const Normaliser& normaliser;
    torch::Tensor validation_frames;    // (B, C, H, W) frames of the selection split, physical
    std::vector<std::string> channels;  // names of the fields, for the log
  };

  CodecTask(Parts parts, double kl_weight, uint64_t seed);

  torch::nn::Module& module() override { return *parts_.network; }
  Batch load(int64_t step, const std::vector<int64_t>& samples) const override;
  torch::Tensor loss(int64_t step, const Batch& batch) override;
  Validation validate() override;

 private:
  FrameLocation location_of(int64_t sample) const;

  Parts parts_;
  double kl_weight_;
  uint64_t seed_;
  std::vector<int64_t> first_frame_;  // of each trajectory among all frames, and the total
};

/// `count` locations spread evenly over trajectories of these lengths and over their times.
std::vector<FrameLocation> spread_locations(const std::vector<int64_t>& lengths, int64_t count);

/// `count` frames spread evenly over a split's trajectories and times, (count, C, H, W).
torch::Tensor spread_frames(const Dataset& dataset, Split split, int64_t count);

/// VRMSE of each field, mean over snapshots; frames (B, C, H, W) in any one scaling per field.
std::vector<double> field_vrmse(const torch::Tensor& reconstructed, const torch::Tensor& truth);

}  // namespace roundtrip

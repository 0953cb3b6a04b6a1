#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>
#include <torch/types.h>

#include "roundtrip/data/dataset.h"
#include "roundtrip/data/latent_cache.h"
#include "roundtrip/models/cvae.h"
#include "roundtrip/models/denoiser.h"
#include "roundtrip/models/frame_predictor.h"
#include "roundtrip/nn/init.h"

// Datasets, latents and networks small enough to be checked by hand.

namespace roundtrip {

/// Trajectories (T, C, H, W) held in memory.
class MemoryDataset : public Dataset {
 public:
  using Trajectories = std::map<Split, std::vector<torch::Tensor>>;

  explicit MemoryDataset(Trajectories trajectories, std::string name = "memory")
      : trajectories_(std::move(trajectories)) {
    const torch::Tensor& first = trajectories_.begin()->second.front();
    layout_ = {std::move(name), {}, first.size(2), first.size(3)};
    for (int64_t c = 0; c < first.size(1); ++c) {
      layout_.channels.push_back("field" + std::to_string(c));
    }
  }
  const FrameLayout& layout() const override { return layout_; }
  int64_t trajectories(Split split) const override {
    const auto found = trajectories_.find(split);
    return found == trajectories_.end() ? 0 : static_cast<int64_t>(found->second.size());
  }
  int64_t frames(Split split, int64_t trajectory) const override {
    return whole(split, trajectory).size(0);
  }
  bool random_access() const override { return true; }
  std::string split_rule() const override { return "by hand"; }
  nlohmann::ordered_json provenance() const override { return {{"dataset", layout_.dataset}}; }

  const torch::Tensor& whole(Split split, int64_t trajectory) const {
    return trajectories_.at(split).at(static_cast<size_t>(trajectory));
  }

 protected:
  void read_frames(Split split, int64_t trajectory, int64_t first, int64_t count,
                   std::span<float> out) const override {
    const torch::Tensor values = whole(split, trajectory).narrow(0, first, count).contiguous();
    std::copy_n(values.data_ptr<float>(), values.numel(), out.begin());
  }

 private:
  Trajectories trajectories_;
  FrameLayout layout_;
};

/// A random walk of frames of a shape, which starts from a random frame; (T, ...).
inline torch::Tensor random_walk(int64_t frames, std::vector<int64_t> shape, uint64_t index) {
  shape.insert(shape.begin(), frames);
  return keyed_normal(shape, 3, "random_walk", index).cumsum(0);
}

/// Latent frames of 3 channels on a 4 x 4 grid.
inline constexpr FrameShape kSmallLatent{3, 4, 4};

/// A cache of random walks of those lengths.
inline LatentCache small_latents(const std::string& path, const std::vector<int64_t>& lengths) {
  LatentCacheWriter writer(path, "small", lengths, {3, 4, 4});
  for (size_t i = 0; i < lengths.size(); ++i) {
    writer.append(random_walk(lengths[i], {3, 4, 4}, i));
  }
  writer.finish();
  return {path, "small"};
}

/// A predictor with 2 contexts in double precision that outputs zeros, or, with random weights,
/// something that depends on all its inputs.
inline std::shared_ptr<FramePredictor> small_predictor(const DiffusionConfig& diffusion,
                                                       bool random_weights) {
  const DenoiserConfig config{.contexts = 2,
                              .width = 16,
                              .layers = 1,
                              .heads = 2,
                              .condition_width = 8,
                              .patch = 2,
                              .mlp_ratio = 2};
  const auto denoiser = make_denoiser(config, {kSmallLatent}, 0);
  if (random_weights) initialise(*denoiser, 5);
  denoiser->to(torch::kFloat64);
  return std::make_shared<FramePredictor>(denoiser, diffusion, std::vector<double>{0.5, 2, 1.25});
}

/// An autoencoder of frames of 2 fields on an 8 x 8 grid; latents of 4 channels on a 2 x 2 grid.
inline std::shared_ptr<CodecNetwork> small_cvae(uint64_t seed) {
  CvaeOptions options;
  options.fields = 2;
  options.height = options.width = 8;
  options.latent_channels = 2;
  options.stem = 4;
  options.widths = {4};
  options.heads = 2;
  options.groups = 2;
  options.patch = 2;
  const auto network = make_cvae(options);
  network->initialise(seed);
  return network;
}

}  // namespace roundtrip

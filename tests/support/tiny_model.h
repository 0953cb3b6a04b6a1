#pragma once

#include <memory>

#include "roundtrip/models/bundle.h"
#include "roundtrip/nn/init.h"

namespace roundtrip {

/// A small diffusion model of frames (2, 8, 8) that are their own latents. Its weights are random,
/// with open gates: a map like any other, which took no training.
inline Model tiny_model(int64_t contexts = 2) {
  Model model;
  ModelMetadata& metadata = model.metadata;
  metadata.layout = {"tiny", {"a", "b"}, 8, 8};
  metadata.codec.network = "identity";
  metadata.scales = {{0, 0}, {1, 1}, identity_standardiser(2)};
  metadata.denoiser = {.contexts = contexts,
                       .width = 32,
                       .layers = 2,
                       .heads = 2,
                       .condition_width = 16,
                       .patch = 2,
                       .context = "channels"};
  metadata.diffusion = {.steps = 50, .prediction = "v", .target = "delta", .weight = "flat"};
  metadata.sampler = {.name = "ddim", .steps = 5, .spacing = "leading"};
  metadata.delta_std = {0.1, 0.1};
  metadata.split_rule = "none";
  metadata.provenance = "{}";
  const auto network = make_codec_network(metadata.codec, {2, 8, 8}, /*seed=*/0);
  network->eval();
  model.codec = std::make_shared<Codec>(network, metadata.scales);
  const auto denoiser = make_denoiser(metadata.denoiser, {{2, 8, 8}}, /*seed=*/3);
  {
    const torch::NoGradGuard no_grad;
    uint64_t index = 0;
    for (torch::Tensor& parameter : denoiser->parameters()) {
      parameter.add_(keyed_normal(parameter.sizes(), 5, "tiny_model", index++) * 0.1);
    }
  }
  denoiser->eval();
  model.predictor =
      std::make_shared<FramePredictor>(denoiser, metadata.diffusion, metadata.delta_std);
  return model;
}

}  // namespace roundtrip

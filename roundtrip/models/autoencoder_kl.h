#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "roundtrip/models/codec_network.h"

namespace roundtrip {

/// Sizes of Stable Diffusion's autoencoder; the defaults are those of its published weights
/// (stabilityai/sd-vae-ft-mse), narrower ones train from nothing.
struct AutoencoderKlOptions {
  int64_t image_channels = 3;  // fields of a frame, all seen together
  int64_t height = 256;        // divisible by 2^(stages - 1), and so is the width
  int64_t width = 256;
  int64_t latent_channels = 4;                         // F
  std::vector<int64_t> widths = {128, 256, 512, 512};  // channels of the stages, finest first
  int64_t blocks = 2;   // residual blocks per stage of the encoder; the decoder has one more
  int64_t heads = 1;    // of the attention at the bottleneck
  int64_t groups = 32;  // of the normalisations
  double latent_scale = 0.18215;  // latents are the encoder's times this, about unit variance
};

/// Stable Diffusion's autoencoder for frames in [-1, 1], with the keys of diffusers.
///
/// Posterior and decode speak of scaled latents: mean * scale and variance * scale^2. The prior the
/// weights were trained against is N(0, 1) for the unscaled ones, N(0, scale^2) for ours, so
/// prior_std() is the scale and the KL divergence, which no common scaling changes, is the
/// unscaled one.
std::shared_ptr<CodecNetwork> make_autoencoder_kl(const AutoencoderKlOptions& options);

/// Reads weights from a safetensors file (F32, F16 or BF16) with diffusers' names, either the
/// present ones of the attention (to_q, ...) or the older (query, key, value, proj_attn).
void read_autoencoder_kl(const std::filesystem::path& path, CodecNetwork& network);

}  // namespace roundtrip

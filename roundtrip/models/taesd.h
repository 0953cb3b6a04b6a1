#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

#include "roundtrip/models/codec_network.h"

namespace roundtrip {

/// Sizes of TAESD; the defaults, but for the picture's, are those of its published weights.
struct TaesdOptions {
  int64_t height = 128;         // pixels, divisible by 8, and so is the width
  int64_t width = 128;          //
  int64_t latent_channels = 4;  // F
  int64_t features = 64;        // channels of every layer in between
};

/// TAESD, the tiny autoencoder for Stable Diffusion's latents, for pictures (B, 3, H, W) in
/// [-1, 1] as videos are read; latents (B, F, H / 8, W / 8). It has no variance of its own: the
/// posterior is as narrow as log variances go. Keys: encoder.N... and decoder.N..., N the index in
/// its published sequences.
std::shared_ptr<CodecNetwork> make_taesd(const TaesdOptions& options);

/// Reads weights (F32, F16 or BF16): from a folder with taesd_encoder.safetensors and
/// taesd_decoder.safetensors as they are published, or from one file with both, its names preceded
/// by "encoder." and "decoder." as in a bundle.
void read_taesd(const std::filesystem::path& path, CodecNetwork& network);

}  // namespace roundtrip

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <torch/types.h>

#include "roundtrip/data/normaliser.h"
#include "roundtrip/models/codec_network.h"
#include "roundtrip/models/latent_statistics.h"

namespace roundtrip {

class Settings;

/// The numbers of a codec that are not weights, all from the training split.
struct CodecScales {
  std::vector<double> field_mean, field_std;  // one per field; the network sees (x - mean) / std
  LatentStandardiser latent;
};

/// Rows under "scales.", for writing and reading them with a bundle.
void bind(CodecScales& scales, Settings& settings);

/// Physical frames to standardised latents and back: a network between the scaling of fields and
/// the scaling of latents. Everything runs without gradients, a bounded number of frames at a time.
class Codec {
 public:
  /// `frames_at_once` bounds memory; results depend on it by rounding only.
  Codec(std::shared_ptr<CodecNetwork> network, CodecScales scales, int64_t frames_at_once = 16);

  /// Standardised posterior means (B, F, h, w) of physical frames (B, C, H, W).
  torch::Tensor encode(const torch::Tensor& frames) const;
  /// Physical frames (B, C, H, W) of standardised latents (B, F, h, w).
  torch::Tensor decode(const torch::Tensor& latents) const;
  /// The network's posterior of physical frames, not standardised; what LatentStatistics takes.
  Posterior posterior(const torch::Tensor& frames) const;
  /// Posterior means (B, F, h, w) as `encode` gives them, from those of the network.
  torch::Tensor standardise(const torch::Tensor& means) const;
  /// Physical frames as the network sees them; (B, C, H, W) both.
  torch::Tensor normalise(const torch::Tensor& frames) const;

  FrameShape latent_shape() const { return network_->latent_shape(); }
  FrameShape frame_shape() const { return network_->frame_shape(); }
  /// Channels that carry information, ascending; C and E are measured on these.
  const std::vector<int64_t>& live_channels() const { return live_; }
  const CodecScales& scales() const { return scales_; }
  CodecNetwork& network() const { return *network_; }

  /// Replaces the scaling of latents, once the statistics of the training split are known.
  void standardise_by(LatentStandardiser latent);

 private:
  std::shared_ptr<CodecNetwork> network_;
  CodecScales scales_;
  std::optional<Normaliser> fields_, latents_;  // by the scales
  int64_t frames_at_once_;
  std::vector<int64_t> live_;
};

}  // namespace roundtrip

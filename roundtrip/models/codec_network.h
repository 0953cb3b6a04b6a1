#pragma once

#include <cstdint>

#include <torch/nn/module.h>
#include <torch/types.h>

#include "roundtrip/data/frame_shape.h"

namespace roundtrip {

/// Log variances are held between these; exp(-30) is the rounding of a float32 near 1, squared.
inline constexpr double kLowestLogVariance = -30;
inline constexpr double kHighestLogVariance = 20;

/// Independent Gaussians, one per latent entry.
struct Posterior {
  torch::Tensor mean;          // (B, F, h, w)
  torch::Tensor log_variance;  // (B, F, h, w)
};

/// A network that compresses normalised frames to latents and restores them.
class CodecNetwork : public torch::nn::Module {
 public:
  /// What the latents of frames (B, C, H, W) may be.
  virtual Posterior posterior(const torch::Tensor& frames) = 0;
  /// Frames (B, C, H, W) of latents (B, F, h, w).
  virtual torch::Tensor decode(const torch::Tensor& latents) = 0;
  virtual FrameShape frame_shape() const = 0;
  virtual FrameShape latent_shape() const = 0;
  /// Standard deviation of the prior of every latent entry, N(0, prior_std^2).
  virtual double prior_std() const { return 1; }
  /// Gives every parameter its initial value by (seed, name).
  virtual void initialise(uint64_t seed);
  /// Improves the initial weights by looking at normalised training frames (B, C, H, W), a few
  /// hundred of them; does nothing for networks that have no use for it.
  virtual void initialise_from(const torch::Tensor& frames);
};

/// KL divergence of each latent entry's posterior from its prior, in nats; (B, F, h, w).
torch::Tensor kl_divergence(const Posterior& posterior, double prior_std);

struct CodecLoss {
  torch::Tensor total;           // reconstruction + kl_weight * kl
  torch::Tensor reconstruction;  // squared error, mean over frames, fields and pixels
  torch::Tensor kl;              // mean over frames and latent entries, in nats
  torch::Tensor channel_kl;      // (F), the same mean for each channel, without gradient
};

/// The loss of a variational autoencoder on normalised frames (B, C, H, W). The latents decoded are
/// mean + std * unit_noise, unit_noise (B, F, h, w).
///
/// Both terms are means, the error's over pixels and the KL's over latent entries, so the weight
/// does not depend on the size of a frame or a batch. It then has a plain meaning: where the
/// decoder is close to linear and no channel has collapsed, the best posterior is so wide that its
/// noise adds kl_weight / 2 to the error, i.e. sqrt(kl_weight / 2) standard deviations of a field.
CodecLoss codec_loss(CodecNetwork& network, const torch::Tensor& frames,
                     const torch::Tensor& unit_noise, double kl_weight);

/// Throws an Error unless `frames` is (B, C, H, W) with the C, H, W of `shape`.
void check_frames(const torch::Tensor& frames, const FrameShape& shape);
/// Throws an Error unless `latents` is (B, F, h, w) with the F, h, w of `shape`.
void check_latents(const torch::Tensor& latents, const FrameShape& shape);

/// Splits the output of an encoder, (B, 2F, h, w), into mean and held log variance, for latents
/// that are `scale` times the encoder's.
Posterior make_posterior(const torch::Tensor& moments, double scale = 1);

}  // namespace roundtrip

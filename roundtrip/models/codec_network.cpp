#include "roundtrip/models/codec_network.h"

#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/types.h>

#include "roundtrip/base/error.h"
#include "roundtrip/nn/init.h"

namespace roundtrip {
namespace {

void check_shape(const torch::Tensor& x, const char* what, int64_t channels, int64_t height,
                 int64_t width) {
  const bool fits =
      x.dim() == 4 && x.size(1) == channels && x.size(2) == height && x.size(3) == width;
  if (fits) return;
  throw Error("codec",
              fmt::format("expected {} (B, {}, {}, {}), found ({}); use the data the model "
                          "was made for",
                          what, channels, height, width, fmt::join(x.sizes(), ", ")));
}

}  // namespace

void CodecNetwork::initialise(uint64_t seed) { roundtrip::initialise(*this, seed); }

void CodecNetwork::initialise_from(const torch::Tensor& /*frames*/) {}

torch::Tensor kl_divergence(const Posterior& posterior, double prior_std) {
  const torch::Tensor mean = posterior.mean / prior_std;
  const torch::Tensor log_variance = posterior.log_variance - 2 * std::log(prior_std);
  return 0.5 * (mean.square() + log_variance.exp() - 1 - log_variance);
}

CodecLoss codec_loss(CodecNetwork& network, const torch::Tensor& frames,
                     const torch::Tensor& unit_noise, double kl_weight) {
  const Posterior posterior = network.posterior(frames);
  ensure(unit_noise.sizes() == posterior.mean.sizes(), "one noise number per latent entry");
  const torch::Tensor latents = posterior.mean + (0.5 * posterior.log_variance).exp() * unit_noise;
  const torch::Tensor kl = kl_divergence(posterior, network.prior_std());
  CodecLoss loss;
  loss.reconstruction = torch::mse_loss(network.decode(latents), frames);
  loss.kl = kl.mean();
  loss.channel_kl = kl.detach().mean({0, 2, 3});
  loss.total = loss.reconstruction + kl_weight * loss.kl;
  return loss;
}

void check_frames(const torch::Tensor& frames, const FrameShape& shape) {
  check_shape(frames, "frames", shape.channels, shape.height, shape.width);
}

void check_latents(const torch::Tensor& latents, const FrameShape& shape) {
  check_shape(latents, "latents", shape.channels, shape.height, shape.width);
}

Posterior make_posterior(const torch::Tensor& moments, double scale) {
  const auto parts = moments.chunk(2, /*dim=*/1);  // (B, F, h, w) each
  return {parts[0] * scale,
          parts[1].clamp(kLowestLogVariance, kHighestLogVariance) + 2 * std::log(scale)};
}

}  // namespace roundtrip

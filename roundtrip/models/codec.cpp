#include "roundtrip/models/codec.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>
#include <torch/types.h>
#include <torch/utils.h>

#include "roundtrip/base/error.h"
#include "roundtrip/base/settings.h"

namespace roundtrip {
namespace {

// Where and in what type the network computes; the input's own without parameters.
torch::TensorOptions home_of(const CodecNetwork& network, const torch::Tensor& x) {
  const auto parameters = network.parameters();
  return parameters.empty() ? x.options() : parameters.front().options().requires_grad(false);
}

torch::Tensor in_pieces(const torch::Tensor& x, int64_t at_once,
                        const std::function<torch::Tensor(const torch::Tensor&)>& work) {
  std::vector<torch::Tensor> pieces;
  for (const torch::Tensor& piece : x.split(at_once)) pieces.push_back(work(piece));
  return torch::cat(pieces);
}

void check_scale(const char* name, const std::vector<double>& values, int64_t count,
                 bool positive) {
  const bool good = std::ranges::all_of(
      values, [&](double value) { return std::isfinite(value) && (!positive || value > 0); });
  if (good && static_cast<int64_t>(values.size()) == count) return;
  throw Error("codec", fmt::format("{}: expected {} {} numbers, found {}{}", name, count,
                                   positive ? "positive" : "finite", values.size(),
                                   good ? "" : ", not all of them such"));
}

std::vector<int64_t> live_of(const LatentStandardiser& latent, int64_t channels) {
  check_scale("latent shift", latent.shift, channels, /*positive=*/false);
  check_scale("latent scale", latent.scale, channels, /*positive=*/true);
  std::vector<int64_t> live;
  for (int64_t i = 0; i < channels; ++i) {
    if (!std::ranges::binary_search(latent.collapsed, i)) live.push_back(i);
  }
  if (live.empty()) {
    throw Error("codec",
                "every latent channel has collapsed: the codec learned nothing; lower "
                "codec.kl_weight or train it longer");
  }
  return live;
}

}  // namespace

void bind(CodecScales& scales, Settings& settings) {
  settings.add("scales.field_mean", scales.field_mean, "mean of each field, physical units");
  settings.add("scales.field_std", scales.field_std, "standard deviation of each field");
  settings.add("scales.latent_shift", scales.latent.shift, "mean of each latent channel");
  settings.add("scales.latent_scale", scales.latent.scale, "its standard deviation");
  settings.add("scales.collapsed", scales.latent.collapsed, "latent channels that carry nothing")
      .formerly("scales.dead");
}

Codec::Codec(std::shared_ptr<CodecNetwork> network, CodecScales scales, int64_t frames_at_once)
    : network_(std::move(network)), scales_(std::move(scales)), frames_at_once_(frames_at_once) {
  ensure(network_ != nullptr && frames_at_once_ > 0, "a network and a positive number of frames");
  const int64_t fields = network_->frame_shape().channels;
  check_scale("field mean", scales_.field_mean, fields, /*positive=*/false);
  check_scale("field std", scales_.field_std, fields, /*positive=*/true);
  fields_.emplace(scales_.field_mean, scales_.field_std);
  standardise_by(scales_.latent);
}

void Codec::standardise_by(LatentStandardiser latent) {
  live_ = live_of(latent, latent_shape().channels);
  latents_.emplace(latent.shift, latent.scale);
  scales_.latent = std::move(latent);
}

torch::Tensor Codec::normalise(const torch::Tensor& frames) const {
  check_frames(frames, frame_shape());
  return fields_->normalise(frames, home_of(*network_, frames));
}

Posterior Codec::posterior(const torch::Tensor& frames) const {
  const torch::NoGradGuard no_grad;
  std::vector<torch::Tensor> means, log_variances;
  for (const torch::Tensor& piece : frames.split(frames_at_once_)) {
    const Posterior part = network_->posterior(normalise(piece));
    means.push_back(part.mean.to(frames.device()));
    log_variances.push_back(part.log_variance.to(frames.device()));
  }
  return {torch::cat(means), torch::cat(log_variances)};
}

torch::Tensor Codec::encode(const torch::Tensor& frames) const {
  const torch::NoGradGuard no_grad;
  return in_pieces(frames, frames_at_once_, [&](const torch::Tensor& piece) {
    return standardise(network_->posterior(normalise(piece)).mean).to(frames.device());
  });
}

torch::Tensor Codec::standardise(const torch::Tensor& means) const {
  return latents_->normalise(means);
}

torch::Tensor Codec::decode(const torch::Tensor& latents) const {
  const torch::NoGradGuard no_grad;
  check_latents(latents, latent_shape());
  return in_pieces(latents, frames_at_once_, [&](const torch::Tensor& piece) {
    const torch::Tensor frames =
        network_->decode(latents_->restore(piece, home_of(*network_, piece)));
    return fields_->restore(frames, frames.options().device(latents.device()));
  });
}

}  // namespace roundtrip

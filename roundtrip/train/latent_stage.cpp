#include "roundtrip/train/latent_stage.h"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>
#include <torch/types.h>

#include "roundtrip/base/interrupt.h"
#include "roundtrip/base/json_text.h"
#include "roundtrip/base/settings.h"
#include "roundtrip/base/sha256.h"
#include "roundtrip/nn/module_file.h"

namespace roundtrip {
namespace {

constexpr int64_t kFramesAtOnce = 64;  // frames read at a time

// Hands the frames of a trajectory to `work` piece by piece.
void for_pieces(const Dataset& dataset, Split split, int64_t trajectory, const FramesDone& done,
                const std::function<void(const torch::Tensor&)>& work) {
  const int64_t frames = dataset.frames(split, trajectory);
  for (int64_t first = 0; first < frames; first += kFramesAtOnce) {
    stop_if_interrupted();
    const int64_t count = std::min(kFramesAtOnce, frames - first);
    work(dataset.read(split, trajectory, first, count));
    done(count);
  }
}

LatentCacheWriter cache_writer(const std::filesystem::path& path, const std::string& fingerprint,
                               const Codec& codec, const Dataset& dataset, Split split) {
  return {path, fingerprint, trajectory_lengths(dataset, split), codec.latent_shape()};
}

}  // namespace

std::vector<LatentChannel> encode_training(const std::filesystem::path& raw,
                                           const std::string& fingerprint, const Codec& codec,
                                           const Dataset& dataset, const FramesDone& done) {
  LatentStatistics statistics(codec.network().prior_std());
  LatentCacheWriter writer = cache_writer(raw, fingerprint, codec, dataset, Split::train);
  for (int64_t i = 0; i < dataset.trajectories(Split::train); ++i) {
    std::vector<torch::Tensor> means;
    for_pieces(dataset, Split::train, i, done, [&](const torch::Tensor& frames) {
      const Posterior posterior = codec.posterior(frames);
      statistics.add(posterior);
      means.push_back(posterior.mean);
    });
    writer.append(torch::cat(means));
  }
  writer.finish();
  return statistics.channels();
}

void standardise_training(const std::filesystem::path& raw, const std::string& raw_fingerprint,
                          const std::filesystem::path& path, const std::string& fingerprint,
                          const Codec& codec) {
  const LatentCache latents(raw, raw_fingerprint);
  LatentCacheWriter writer(path, fingerprint, latents.lengths(), latents.latent());
  for (int64_t i = 0; i < latents.trajectories(); ++i) {
    writer.append(codec.standardise(latents.trajectory(i)));
  }
  writer.finish();
  std::filesystem::remove(raw);
}

std::string latent_fingerprint(const Codec& codec, const CodecConfig& config,
                               const Dataset& dataset) {
  Sha256 sha;
  // Heads and groups change latents and no weight's shape. Where weights came from does not.
  CodecConfig kind = config;
  kind.weights.clear();
  kind.frozen = false;
  Settings options("codec");
  bind(kind, options);
  sha.add(options.to_toml());
  for (const auto& [name, tensor] : named_tensors(codec.network())) {
    const torch::Tensor whole = tensor.contiguous();
    sha.add(name);
    sha.add(std::span(static_cast<const std::byte*>(whole.data_ptr()), whole.nbytes()));
  }
  CodecScales scales = codec.scales();
  Settings settings("scales");
  bind(scales, settings);
  sha.add(settings.to_toml());
  sha.add(json_text(dataset.provenance()));
  return sha.digest();
}

void write_latents(const std::filesystem::path& path, const std::string& fingerprint,
                   const Codec& codec, const Dataset& dataset, Split split,
                   const FramesDone& done) {
  LatentCacheWriter writer = cache_writer(path, fingerprint, codec, dataset, split);
  for (int64_t i = 0; i < dataset.trajectories(split); ++i) {
    std::vector<torch::Tensor> parts;
    for_pieces(dataset, split, i, done,
               [&](const torch::Tensor& frames) { parts.push_back(codec.encode(frames)); });
    writer.append(torch::cat(parts));
  }
  writer.finish();
}

std::vector<double> step_spread(const LatentCache& latents, const std::vector<int64_t>& collapsed) {
  torch::Tensor sum = torch::zeros({latents.latent().channels}, torch::kFloat64);
  int64_t steps = 0;
  for (int64_t i = 0; i < latents.trajectories(); ++i) {
    const torch::Tensor frames = latents.trajectory(i).to(torch::kFloat64);
    const int64_t last = frames.size(0) - 1;
    const torch::Tensor change = frames.narrow(0, 1, last) - frames.narrow(0, 0, last);
    sum += change.square().mean({2, 3}).sum(0);
    steps += last;
  }
  std::vector<double> spread;
  for (int64_t c = 0; c < sum.size(0); ++c) {
    const double value = std::sqrt(sum[c].item<double>() / static_cast<double>(steps));
    spread.push_back(value > 0 && !std::ranges::binary_search(collapsed, c) ? value : 1.0);
  }
  return spread;
}

}  // namespace roundtrip

#include "roundtrip/train/codec_task.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <torch/types.h>
#include <torch/utils.h>

#include "roundtrip/data/sample_order.h"
#include "roundtrip/nn/init.h"

namespace roundtrip {
namespace {

constexpr int64_t kAtOnce = 16;  // validation frames in memory

// Tensors of a batch, by position.
enum CodecSlot : size_t { kFrameSlot, kNoiseSlot };

}  // namespace

CodecTask::CodecTask(Parts parts, double kl_weight, uint64_t seed)
    : parts_(std::move(parts)), kl_weight_(kl_weight), seed_(seed), first_frame_{0} {
  for (int64_t i = 0; i < parts_.frames.trajectories(); ++i) {
    first_frame_.push_back(first_frame_.back() + parts_.frames.length(i));
  }
}

FrameLocation CodecTask::location_of(int64_t sample) const {
  const int64_t total = first_frame_.back();
  const auto epoch = static_cast<uint64_t>(sample / total);
  const int64_t index = SampleOrder(seed_, epoch, total).at(sample % total);
  const auto next = std::ranges::upper_bound(first_frame_, index);
  return {next - first_frame_.begin() - 1, index - *(next - 1)};
}

TrainingTask::Batch CodecTask::load(int64_t, const std::vector<int64_t>& samples) const {
  std::vector<FrameLocation> locations;
  std::vector<torch::Tensor> noise;
  const FrameShape latent = parts_.network->latent_shape();
  for (const int64_t sample : samples) {
    locations.push_back(location_of(sample));
    noise.push_back(
        keyed_normal(latent.sizes(), seed_, "codec.noise", static_cast<uint64_t>(sample)));
  }
  return {parts_.normaliser.normalise(parts_.frames.frames(locations)), torch::stack(noise)};
}

torch::Tensor CodecTask::loss(int64_t, const Batch& batch) {
  const auto options = parts_.network->parameters().front().options();
  return codec_loss(*parts_.network, batch[kFrameSlot].to(options), batch[kNoiseSlot].to(options),
                    kl_weight_)
      .total;
}

Validation CodecTask::validate() {
  const torch::NoGradGuard no_grad;
  const auto options = parts_.network->parameters().front().options();
  const torch::Tensor truth = parts_.normaliser.normalise(parts_.validation_frames, options);
  std::vector<torch::Tensor> made;
  for (const torch::Tensor& part : truth.split(kAtOnce)) {
    made.push_back(parts_.network->decode(parts_.network->posterior(part).mean));
  }
  const std::vector<double> errors = field_vrmse(torch::cat(made), truth);
  Validation found;
  for (size_t i = 0; i < errors.size(); ++i) {
    found.values.emplace_back("vrmse_" + parts_.channels[i], errors[i]);
    found.score += errors[i] / static_cast<double>(errors.size());
  }
  return found;
}

std::vector<FrameLocation> spread_locations(const std::vector<int64_t>& lengths, int64_t count) {
  const auto trajectories = static_cast<int64_t>(lengths.size());
  std::vector<FrameLocation> locations;
  for (int64_t i = 0; i < count; ++i) {
    const int64_t trajectory = i * trajectories / count;
    // Steps by the golden ratio visit all times evenly, whatever the count.
    const double turn = 0.6180339887498949 * static_cast<double>(i);
    const auto length = static_cast<double>(lengths[static_cast<size_t>(trajectory)]);
    locations.push_back({trajectory, static_cast<int64_t>((turn - std::floor(turn)) * length)});
  }
  return locations;
}

torch::Tensor spread_frames(const Dataset& dataset, Split split, int64_t count) {
  std::vector<torch::Tensor> frames;
  for (const FrameLocation& location :
       spread_locations(trajectory_lengths(dataset, split), count)) {
    frames.push_back(dataset.read(split, location.trajectory, location.frame, 1));
  }
  return torch::cat(frames);
}

std::vector<double> field_vrmse(const torch::Tensor& reconstructed, const torch::Tensor& truth) {
  const torch::Tensor u = truth.to(torch::kFloat64);
  const torch::Tensor error =
      (reconstructed.to(torch::kFloat64) - u).square().mean({2, 3});  // (B, C)
  const torch::Tensor spread = u.var({2, 3}, /*unbiased=*/true) + 1e-7;
  const torch::Tensor mean = (error / spread).sqrt().mean(0).contiguous();
  return {mean.data_ptr<double>(), mean.data_ptr<double>() + mean.numel()};
}

}  // namespace roundtrip

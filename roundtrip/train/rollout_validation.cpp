#include "roundtrip/train/rollout_validation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <torch/types.h>
#include <torch/utils.h>

#include "roundtrip/base/depths.h"
#include "roundtrip/base/error.h"
#include "roundtrip/base/random.h"
#include "roundtrip/nn/init.h"
#include "roundtrip/rollout/diffusion_stepper.h"
#include "roundtrip/rollout/roll_out.h"

namespace roundtrip {
namespace {

constexpr int64_t kRolledAtOnce = 64;  // windows of the denoising loss in memory

// True frames of the rolled-out trajectories in one direction, each (n + depth, F, h, w) in the
// order of the rollout, and the rollouts that start from the first n of them.
struct ValidationRollouts {
  std::vector<torch::Tensor> truth;
  std::vector<Rollout> rollouts;
};

ValidationRollouts rollouts_of(const LatentCache& latents, int64_t trajectories, int64_t direction,
                               int64_t contexts, int64_t depth, torch::ScalarType type) {
  ValidationRollouts found;
  for (int64_t i = 0; i < trajectories; ++i) {
    const int64_t last = latents.lengths()[static_cast<size_t>(i)] - 1;
    torch::Tensor frames = latents.trajectory(i);
    if (direction < 0) frames = frames.flip(0);
    found.truth.push_back(frames.narrow(0, 0, contexts + depth).to(type));
    found.rollouts.push_back(make_rollout(found.truth.back().narrow(0, 0, contexts), depth,
                                          direction > 0 ? 0 : last, direction));
  }
  return found;
}

torch::ScalarType type_of(FramePredictor& predictor) {
  return predictor.denoiser().parameters().front().scalar_type();
}

}  // namespace

void bind(ValidationOptions& options, Settings& settings) {
  settings
      .add("validation.trajectories", options.trajectories,
           "selection trajectories that are rolled out")
      .at_least(1);
  settings.add("validation.depth", options.depth, "most steps of a rollout").at_least(1);
  settings
      .add("validation.samples", options.samples,
           "windows of the denoising loss and of single steps")
      .at_least(1);
}

RolloutValidation::RolloutValidation(const LatentCache& latents, const Sampler& sampler,
                                     const InitialNoise& noise, Setup setup,
                                     const ValidationOptions& options)
    : latents_(latents),
      sampler_(sampler),
      noise_(noise),
      setup_(std::move(setup)),
      options_(options) {
  options_.trajectories = std::min(options_.trajectories, latents.trajectories());
  for (int64_t i = 0; i < options_.trajectories; ++i) {
    const int64_t room = latents.lengths()[static_cast<size_t>(i)] - setup_.contexts;
    if (room < 1) {
      throw Error("validation",
                  fmt::format("selection trajectory {}: expected more frames than the {} of a "
                              "context, found {}; fewer contexts need fewer",
                              i, setup_.contexts, room + setup_.contexts));
    }
    options_.depth = std::min(options_.depth, room);
  }
}

Validation RolloutValidation::run(FramePredictor& predictor) const {
  const torch::NoGradGuard no_grad;
  Validation found;
  add_windows(predictor, found);
  add_rollouts(predictor, found);
  return found;
}

void RolloutValidation::add_windows(FramePredictor& predictor, Validation& found) const {
  const TrainingSamples windows(
      latents_.lengths(),
      {.contexts = setup_.contexts,
       .p_bwd = setup_.directions.size() == 2 ? 0.5 : (setup_.directions[0] < 0 ? 1.0 : 0.0),
       .seed = setup_.seed});
  const int64_t levels = setup_.levels.empty() ? predictor.schedule().steps()
                                               : static_cast<int64_t>(setup_.levels.size());
  const auto level = [&](int64_t i) {
    return setup_.levels.empty() ? i : setup_.levels[static_cast<size_t>(i)];
  };
  const auto type = type_of(predictor);
  double loss = 0;
  torch::Tensor made = torch::zeros({2}, torch::kFloat64);  // squared errors, forward and backward
  torch::Tensor persistence = torch::zeros({2}, torch::kFloat64);
  for (int64_t first = 0; first < options_.samples; first += kRolledAtOnce) {
    const int64_t count = std::min(kRolledAtOnce, options_.samples - first);
    std::vector<TrainingSample> samples;
    std::vector<int64_t> k;
    for (int64_t i = first; i < first + count; ++i) {
      samples.push_back(windows.at(i));
      k.push_back(level(i * levels / options_.samples));  // all levels alike
    }
    const LatentBatch batch = latents_.gather(samples);
    const FrameWindows inputs = batch.windows.to(type);
    const torch::Tensor target = batch.target.to(type);
    const torch::Tensor noise =
        keyed_normal(target.sizes(), setup_.seed, "validation.noise", static_cast<uint64_t>(first))
            .to(type);
    loss += predictor.loss(inputs, target, torch::tensor(k), noise).item<double>() *
            static_cast<double>(count);
    const torch::Tensor side = (inputs.direction < 0).to(torch::kInt64);
    made.index_add_(0, side, errors_of(predictor.predict(inputs, sampler_, noise_), target));
    persistence.index_add_(0, side, errors_of(inputs.nearest(), target));
  }
  found.values.emplace_back("denoising_loss", loss / static_cast<double>(options_.samples));
  for (const int64_t direction : setup_.directions) {
    const int64_t side = direction < 0 ? 1 : 0;
    found.values.emplace_back(direction > 0 ? "step_forward" : "step_backward",
                              made[side].item<double>() / persistence[side].item<double>());
  }
}

// Squared errors (B) of live channels, float64.
torch::Tensor RolloutValidation::errors_of(const torch::Tensor& a, const torch::Tensor& b) const {
  return (a - b)
      .index_select(1, torch::tensor(setup_.live))
      .to(torch::kFloat64)
      .square()
      .mean({1, 2, 3});
}

void RolloutValidation::add_rollouts(FramePredictor& predictor, Validation& found) const {
  const int64_t n = setup_.contexts;
  const auto stepper = make_diffusion_stepper(predictor, sampler_, noise_);
  const auto depths = doubling_depths(options_.depth);
  double sum = 0;
  int64_t terms = 0;
  for (const int64_t direction : setup_.directions) {
    ValidationRollouts side =
        rollouts_of(latents_, options_.trajectories, direction, n, depths.back(), stepper->type());
    roll_out(side.rollouts, *stepper, options_.trajectories);
    const torch::Tensor truth = torch::stack(side.truth);
    std::vector<torch::Tensor> frames;
    for (const Rollout& rollout : side.rollouts) frames.push_back(rollout.frames);
    const torch::Tensor made = torch::stack(frames);
    for (const int64_t depth : depths) {
      const torch::Tensor target = truth.select(1, n + depth - 1);
      const double ratio = errors_of(made.select(1, n + depth - 1), target).mean().item<double>() /
                           errors_of(truth.select(1, n - 1), target).mean().item<double>();
      found.values.emplace_back(fmt::format("{}_{}", direction > 0 ? "forward" : "backward", depth),
                                ratio);
      sum += std::isfinite(ratio) ? std::log(ratio) : std::numeric_limits<double>::infinity();
      ++terms;
    }
  }
  found.score = sum / static_cast<double>(terms);
}

}  // namespace roundtrip

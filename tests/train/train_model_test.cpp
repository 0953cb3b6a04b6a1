#include "roundtrip/train/train_model.h"

#include <gtest/gtest.h>
#include <torch/types.h>
#include <torch/utils.h>

#include "roundtrip/base/memory.h"
#include "roundtrip/data/dataset.h"
#include "roundtrip/diffusion/initial_noise.h"
#include "roundtrip/diffusion/samplers.h"
#include "roundtrip/io/clips.h"
#include "roundtrip/models/bundle.h"
#include "roundtrip/models/taesd.h"
#include "roundtrip/nn/compute_threads.h"
#include "roundtrip/nn/init.h"
#include "roundtrip/nn/module_file.h"
#include "roundtrip/systems/generate.h"
#include "roundtrip/systems/linear_gaussian.h"
#include "roundtrip/systems/systems.h"
#include "roundtrip/train/adamw.h"
#include "roundtrip/train/train_config.h"
#include "tests/io/video_files.h"

namespace roundtrip {
namespace {

constexpr int64_t kSamples = 64;   // S
constexpr int64_t kPredicted = 6;  // predicted frames per trajectory

std::filesystem::path config_file(const std::string& name) {
  return std::filesystem::path(ROUNDTRIP_SOURCE_DIR) / "configs" / (name + ".toml");
}

// Squared error per component, in physical units, of single samples and of the mean of S.
struct SampledError {
  double single = 0, mean = 0;
};

SampledError sampled_error(const Model& model, const Dataset& data, int direction) {
  const FrameShape latent = model.codec->latent_shape();
  const auto sampler = make_sampler(model.metadata.sampler, model.predictor->schedule());
  std::vector<torch::Tensor> contexts, anchors, truths;
  std::vector<int64_t> targets;
  for (int64_t i = 0; i < data.trajectories(Split::test); ++i) {
    const int64_t frames = data.frames(Split::test, i);
    const torch::Tensor physical = data.read(Split::test, i, 0, frames);
    const torch::Tensor latents = model.codec->encode(physical);
    for (int64_t j = 0; j < kPredicted; ++j) {
      const int64_t target = 2 + j * (frames - 4) / kPredicted;
      contexts.push_back(latents.narrow(0, target - direction, 1));
      anchors.push_back(latents[direction > 0 ? 0 : frames - 1]);
      truths.push_back(physical[target]);
      targets.push_back(target);
    }
  }
  const FrameWindows inputs = {
      torch::stack(contexts), torch::stack(anchors), torch::tensor(targets),
      torch::full({static_cast<int64_t>(targets.size())}, direction, torch::kInt64)};
  const torch::Tensor truth = torch::stack(truths);
  torch::Tensor mean = torch::zeros_like(truth);
  SampledError error;
  for (int64_t s = 0; s < kSamples; ++s) {
    // A start of its own for every row: with a shared one the error of a single sample would be
    // that of one draw.
    const torch::Tensor start = keyed_normal(truth.sizes(), 77, "start", static_cast<uint64_t>(s));
    const torch::Tensor made =
        model.codec->decode(model.predictor->predict(inputs, *sampler, start));
    error.single += (made - truth).square().mean().item<double>() / kSamples;
    mean += made / kSamples;
  }
  EXPECT_EQ(truth.size(1), latent.channels);
  error.mean = (mean - truth).square().mean().item<double>();
  return error;
}

// The best prediction of z' = A z + e is off by tr Q / d, a sample of the right law by twice that,
// the mean of S samples by (1 + 1/S) of it; ten percent is the model's to lose. 600 frames of 64
// components leave a statistical error of about one percent.
TEST(TrainModel, SlowLearnsTheLawOfTheLinearGaussianSystem) {
  // As `roundtrip train` does: a quarter of an hour instead of half an hour.
  keep_large_blocks();
  use_all_threads();
  const auto folder = std::filesystem::path(testing::TempDir()) / "linear_gaussian_law";
  std::filesystem::remove_all(folder);
  const auto system = make_system("linear_gaussian", "small", {});
  GenerateRequest request;
  request.folder = folder / "data";
  request.size = {.train = 4000, .valid = 40, .test = 100};
  request.seed = 3;
  request.name = "linear_gaussian";
  generate(*system, request, [](int64_t, int64_t) {});
  finish_dataset(*system, request, [](int64_t, int64_t) {});
  const TrainConfig config = read_train_config(config_file("linear_gaussian-small"),
                                               {"data.path=" + (folder / "data").string()});
  const auto ranks = make_process_group({}, 1);
  train_model({.config = config, .out = folder / "model"}, *ranks,
              {.log = [](const std::string&) {},
               .progress = [](const std::string&, const std::string&, int64_t, int64_t,
                              const std::string&) {}});
  const Model model = read_bundle(folder / "model");
  const auto data = open_dataset(config.data);
  const LinearGaussianModel truth = make_linear_gaussian_model(LinearGaussianConfig{});
  for (const int direction : {+1, -1}) {
    const double best = direction > 0 ? truth.forward_error() : truth.backward_error();
    const SampledError error = sampled_error(model, *data, direction);
    RecordProperty(direction > 0 ? "forward_single" : "backward_single",
                   std::to_string(error.single / best));
    RecordProperty(direction > 0 ? "forward_mean" : "backward_mean",
                   std::to_string(error.mean / best));
    EXPECT_NEAR(error.mean / best, 1 + 1.0 / kSamples, 0.1) << direction;
    EXPECT_NEAR(error.single / best, 2, 0.2) << direction;
  }
  std::filesystem::remove_all(folder);
}

class TaesdTraining : public VideoFiles {};

// Weights are taken as given, latents are TAESD's of the pictures as they are, and the bundle needs
// no other file.
TEST_F(TaesdTraining, TheBundleIsSelfContained) {
  std::vector<Clip> clips;
  for (const std::string split : {"train", "train", "valid", "valid", "test", "other"}) {
    clips.push_back({fmt::format("{}.mp4", clips.size()), "anna", split});
    write_moving_video(folder_ / clips.back().file, {.width = 32, .height = 16},
                       6 + static_cast<int64_t>(clips.size()));
  }
  write_clips(folder_, clips);
  const auto network = make_taesd({.height = 16, .width = 32});
  network->initialise(5);
  const auto weights = folder_ / "weights.safetensors";
  write_tensors(weights, named_tensors(*network));
  const TrainConfig config = read_train_config(
      config_file("grid-dit"),
      {"data.path=" + folder_.string(), "data.width=0", "data.height=0", "data.stride=1",
       "codec.weights=" + weights.string(), "codec.frozen=false", "denoiser.width=16",
       "denoiser.layers=1", "denoiser.heads=2", "denoiser.condition_width=8",
       "denoiser_training.steps=2", "denoiser_training.batch=2", "validation.samples=2",
       "validation.depth=2", "sampler.steps=2"});
  const auto ranks = make_process_group({}, 1);
  const TrainSummary summary =
      train_model({.config = config, .out = folder_ / "model"}, *ranks,
                  {.log = [](const std::string&) {},
                   .progress = [](const std::string&, const std::string&, int64_t, int64_t,
                                  const std::string&) {}});
  ASSERT_EQ(summary.stages.size(), 1);  // the denoiser's: the codec is not trained
  std::filesystem::remove(weights);
  const Model model = read_bundle(folder_ / "model");
  const torch::Tensor frames = open_dataset(config.data)->read(Split::other, 0, 0, 12);
  const torch::NoGradGuard no_grad;
  const torch::Tensor expected = network->posterior(frames).mean;
  const LatentStandardiser& scale = model.codec->scales().latent;
  const auto column = [](const std::vector<double>& values) {
    return torch::tensor(values, torch::kFloat64).view({1, -1, 1, 1});
  };
  const torch::Tensor found = model.codec->encode(frames) * column(scale.scale);
  // Standardised and back in float32, of entries of size 1.
  EXPECT_LT((found + column(scale.shift) - expected).abs().max().item<double>(), 1e-5);
}

// --- The paper's sizes, one step each
// -------------------------------------------------------------

torch::Tensor one_loss(const TrainConfig& config, const FrameShape& latent,
                       const std::shared_ptr<Denoiser>& denoiser) {
  FramePredictor predictor(denoiser, config.diffusion, {});
  const int64_t n = config.denoiser.contexts;
  const auto normal = [&](std::vector<int64_t> shape, const char* purpose) {
    return keyed_normal(shape, 1, purpose);
  };
  const int64_t F = latent.channels, h = latent.height, w = latent.width;
  return predictor.loss({normal({1, n, F, h, w}, "context"), normal({1, F, h, w}, "anchor"),
                         torch::tensor({int64_t{n}}), torch::tensor({int64_t{1}})},
                        normal({1, F, h, w}, "next"), torch::tensor({config.diffusion.steps / 2}),
                        normal({1, F, h, w}, "noise"));
}

struct PaperRow {
  const char* name;
  FrameShape latent;
};

class PaperPreset : public ::testing::TestWithParam<PaperRow> {};

// A zero network's loss falls along its gradient.
TEST_P(PaperPreset, SlowTakesOneStep) {
  const TrainConfig config = read_train_config(config_file(GetParam().name), {});
  const auto denoiser = make_denoiser(config.denoiser, {GetParam().latent}, 0);
  FlatParameters parameters(*denoiser);
  AdamW optimizer(parameters, config.denoiser_training.adamw);
  const torch::Tensor before = one_loss(config, GetParam().latent, denoiser);
  before.backward();
  optimizer.step(1e-3, optimizer.gradient_norm());
  const torch::NoGradGuard no_grad;
  EXPECT_LT(one_loss(config, GetParam().latent, denoiser).item<double>(), before.item<double>());
}

INSTANTIATE_TEST_SUITE_P(Presets, PaperPreset,
                         ::testing::Values(PaperRow{"mhd-paper", {24, 16, 16}},
                                           PaperRow{"radiative_layer-paper", {64, 4, 12}},
                                           PaperRow{"navier_stokes-paper", {8, 8, 8}}),
                         [](const auto& row) {
                           std::string name = row.param.name;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

// 911,516,688 weights and as many gradients: 7.3 GB, and activations of one block at a time.
TEST(FacesPreset, SlowGoesForwardAndBackWithCheckpointing) {
  const TrainConfig config = read_train_config(config_file("talking_head-paper"), {});
  ASSERT_TRUE(config.denoiser.checkpoint_activations);
  const FrameShape latent{4, 32, 32};
  const auto denoiser = make_denoiser(config.denoiser, {latent}, 0);
  one_loss(config, latent, denoiser).backward();
  double sum = 0;
  for (const torch::Tensor& parameter : denoiser->parameters()) {
    if (parameter.grad().defined()) sum += parameter.grad().square().sum().item<double>();
  }
  EXPECT_TRUE(std::isfinite(sum));
  EXPECT_GT(sum, 0);
}

}  // namespace
}  // namespace roundtrip

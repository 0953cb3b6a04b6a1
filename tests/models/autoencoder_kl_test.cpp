#include "roundtrip/models/autoencoder_kl.h"

#include <fstream>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/nn/module.h>
#include <torch/types.h>
#include <torch/utils.h>

#include "roundtrip/nn/init.h"
#include "roundtrip/nn/module_file.h"
#include "tests/support/error_of.h"
#include "tests/support/gradient_check.h"

namespace roundtrip {
namespace {

using ::testing::HasSubstr;

// The sizes of tests/reference/autoencoder_kl.py.
AutoencoderKlOptions narrow() {
  AutoencoderKlOptions options;
  options.height = 8;
  options.width = 12;
  options.latent_channels = 2;
  options.widths = {8, 12, 16};
  options.blocks = 1;
  options.groups = 4;
  return options;
}

// The weights of tests/reference/autoencoder_kl.py; std::map sorts by name as it does.
void fill_as_reference(torch::nn::Module& module) {
  const torch::NoGradGuard no_grad;
  int64_t j = 0;
  for (auto& [name, tensor] : named_tensors(module)) {
    const torch::Tensor i = torch::arange(tensor.numel(), torch::kFloat64);
    torch::Tensor values = 0.05 * torch::sin(1 + 0.37 * i + 0.11 * j++);
    if (name.find("norm") != std::string::npos && name.ends_with("weight")) values += 1;
    tensor.copy_(values.view(tensor.sizes()));
  }
}

torch::Tensor reference_frame() {
  const auto axis = [](int64_t n, torch::IntArrayRef shape) {
    return torch::arange(n, torch::kFloat64).view(shape);
  };
  return torch::sin(0.3 * axis(3, {1, 3, 1, 1}) + 0.2 * axis(8, {1, 1, 8, 1}) -
                    0.15 * axis(12, {1, 1, 1, 12}));
}

// From tests/reference/autoencoder_kl.py.
const std::vector<double> kScaledMean = {
    -0.0102948359,  -0.0140289283,  -0.0130904765,  -0.0131734953,  -0.0152392557,  -0.0117351889,
    -0.00856578219, -0.00988746991, -0.00851952381, -0.00754577658, -0.00722213363, -0.005898829};
const std::vector<double> kLogVariance = {0.0047501195, 0.0239343811, 0.020144186,  0.0215693922,
                                          0.0332325869, 0.0153127711, 0.0336848913, 0.0444198678,
                                          0.0362225437, 0.0311351416, 0.0314733897, 0.0209588351};
const std::vector<double> kDecodedRow3 = {
    0.111309455,   0.212807496,   0.306642595,   0.35833708,   0.322467414,  0.236401096,
    0.178409178,   0.192013722,   0.279235112,   0.353733561,  0.304295514,  0.158839839,
    -0.0123403656, -0.0765820121, -0.153165676,  -0.226269984, -0.255120736, -0.214853649,
    -0.126533532,  -0.0559755398, -0.0166191181, 0.056705148,  0.131498568,  0.136795084,
    -0.0284671312, -0.138123194,  -0.241683625,  -0.302661599, -0.270455679, -0.179275859,
    -0.110068202,  -0.114712612,  -0.196936145,  -0.262123173, -0.203187137, -0.0570588596};

void expect_near(const torch::Tensor& values, const std::vector<double>& expected) {
  ASSERT_EQ(values.numel(), static_cast<int64_t>(expected.size()));
  const torch::Tensor flat = values.flatten().to(torch::kFloat64);
  for (size_t i = 0; i < expected.size(); ++i) {
    // The numbers are printed to nine digits; float32 sums agree to about 1e-6.
    EXPECT_NEAR(flat[i].item<double>(), expected[i],
                values.scalar_type() == torch::kFloat64 ? 1e-9 : 1e-5);
  }
}

TEST(AutoencoderKl, AgreesWithAnIndependentImplementation) {
  const torch::NoGradGuard no_grad;
  for (const auto type : {torch::kFloat64, torch::kFloat32}) {
    const auto network = make_autoencoder_kl(narrow());
    network->to(type);
    fill_as_reference(*network);
    const Posterior posterior = network->posterior(reference_frame().to(type));
    expect_near(posterior.mean, kScaledMean);
    expect_near(posterior.log_variance - 2 * std::log(0.18215), kLogVariance);
    expect_near(network->decode(posterior.mean).select(/*dim=*/2, 3), kDecodedRow3);
  }
}

// Weights drawn at random, through a file; the script loads it. Needs PyTorch for Python.
TEST(AutoencoderKl, OurFileIsPythonsSlow) {
  if (std::system("/usr/bin/python3 -c 'import torch' 2>/dev/null") != 0) {
    GTEST_SKIP() << "no PyTorch for /usr/bin/python3";
  }
  const torch::NoGradGuard no_grad;
  const auto network = make_autoencoder_kl(narrow());
  initialise(*network, 7);
  NamedTensors tensors = named_tensors(*network);
  tensors["input"] = reference_frame().to(torch::kFloat32);
  tensors["mean"] = network->posterior(tensors["input"]).mean;
  tensors["decoded"] = network->decode(tensors["mean"]);
  const auto path = std::filesystem::path(testing::TempDir()) / "autoencoder_kl.safetensors";
  write_tensors(path, tensors);
  const std::string command =
      fmt::format("/usr/bin/python3 {}/tests/reference/autoencoder_kl.py compare {}",
                  ROUNDTRIP_SOURCE_DIR, path.string());
  EXPECT_EQ(std::system(command.c_str()), 0);
  std::filesystem::remove(path);
}

// sd_vae_keys.txt lists the tensors of stabilityai/sd-vae-ft-mse by diffusers' present names.
TEST(AutoencoderKl, HasTheTensorsOfThePublishedWeights) {
  std::ifstream list(ROUNDTRIP_SOURCE_DIR "/tests/models/sd_vae_keys.txt");
  std::map<std::string, std::string> published;
  for (std::string name, shape; std::getline(list, name, '\t') && std::getline(list, shape);) {
    published[name] = shape;
  }
  ASSERT_EQ(published.size(), 248);
  const auto network = make_autoencoder_kl({});
  std::map<std::string, std::string> ours;
  int64_t all = 0, encoder = 0;
  for (const auto& item : network->named_parameters()) {
    ours[item.key()] = fmt::format("[{}]", fmt::join(item.value().sizes(), ", "));
    all += item.value().numel();
    if (item.key().starts_with("encoder.")) encoder += item.value().numel();
  }
  EXPECT_EQ(ours, published);
  EXPECT_EQ(all, 83'653'863);
  EXPECT_EQ(encoder, 34'163'592);
  EXPECT_EQ(network->latent_shape().height, 32);
}

// The divergence does not change when latents and prior are scaled together.
TEST(AutoencoderKl, TheKlIsThatOfTheUnscaledPosterior) {
  const torch::NoGradGuard no_grad;
  AutoencoderKlOptions unscaled = narrow();
  unscaled.latent_scale = 1;
  const auto a = make_autoencoder_kl(narrow()), b = make_autoencoder_kl(unscaled);
  for (const auto& network : {a, b}) {
    network->to(torch::kFloat64);
    fill_as_reference(*network);
  }
  const torch::Tensor frame = reference_frame();
  const torch::Tensor noise = keyed_normal({1, 2, 2, 3}, 1, "noise", 0, torch::kFloat64);
  const CodecLoss scaled = codec_loss(*a, frame, noise, 0.1);
  const CodecLoss plain = codec_loss(*b, frame, noise, 0.1);
  EXPECT_NEAR(scaled.kl.item<double>(), plain.kl.item<double>(), 1e-14);
  EXPECT_NEAR(scaled.reconstruction.item<double>(), plain.reconstruction.item<double>(), 1e-14);
}

TEST(AutoencoderKl, GradientsOfTheLossMatchFiniteDifferences) {
  AutoencoderKlOptions options = narrow();
  options.height = options.width = 4;
  options.image_channels = 2;
  options.widths = {4, 8};
  options.groups = 2;
  const auto network = make_autoencoder_kl(options);
  network->to(torch::kFloat64);
  fill_by_sine(*network, 0.2);
  const torch::Tensor frames =
      keyed_normal({2, 2, 4, 4}, 1, "frames", 0, torch::kFloat64).requires_grad_();
  const torch::Tensor noise = keyed_normal({2, 2, 2, 2}, 1, "noise", 0, torch::kFloat64);
  std::vector<torch::Tensor> tensors = network->parameters();
  tensors.push_back(frames);
  const auto loss = [&] { return codec_loss(*network, frames, noise, 0.1).total; };
  EXPECT_LT(gradient_error(loss, tensors, 1), 1e-6);
}

class AutoencoderKlFile : public ::testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(path_); }

  // The reference weights under other names, rounded to half precision when asked.
  void write(const std::function<std::string(std::string)>& rename, bool half) {
    const auto network = make_autoencoder_kl(narrow());
    fill_as_reference(*network);
    std::vector<torch::Tensor> kept;
    std::vector<TensorView> views;
    for (const auto& [name, tensor] : named_tensors(*network)) {
      kept.push_back(half ? tensor.to(torch::kFloat16) : tensor);
      const torch::Tensor& last = kept.back();
      views.push_back({rename(name),
                       half ? TensorType::f16 : TensorType::f32,
                       tensor.sizes().vec(),
                       {static_cast<const std::byte*>(last.data_ptr()), last.nbytes()}});
    }
    write_safetensors(path_, views);
  }

  torch::Tensor mean_from_file() {
    const torch::NoGradGuard no_grad;
    const auto network = make_autoencoder_kl(narrow());
    read_autoencoder_kl(path_, *network);
    return network->posterior(reference_frame().to(torch::kFloat32)).mean;
  }

  const std::filesystem::path path_ =
      std::filesystem::path(testing::TempDir()) /
      (std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()) +
       "_vae.safetensors");
};

std::string older(std::string name) {
  const std::pair<std::string, std::string> renamed[] = {
      {"to_q", "query"}, {"to_k", "key"}, {"to_v", "value"}, {"to_out.0", "proj_attn"}};
  for (const auto& [now, before] : renamed) {
    const size_t place = name.find(now);
    if (place != std::string::npos) name.replace(place, now.size(), before);
  }
  return name;
}

TEST_F(AutoencoderKlFile, PresentAndOlderNamesRead) {
  write([](std::string name) { return name; }, /*half=*/false);
  expect_near(mean_from_file(), kScaledMean);
  write(older, /*half=*/false);
  expect_near(mean_from_file(), kScaledMean);
}

// Weights rounded to 11 bits move the means by a few parts in a thousand, and by something.
TEST_F(AutoencoderKlFile, HalfPrecisionReads) {
  write(older, /*half=*/true);
  const torch::Tensor mean = mean_from_file().flatten().to(torch::kFloat64);
  const torch::Tensor expected = torch::tensor(kScaledMean, torch::kFloat64);
  EXPECT_LT((mean - expected).abs().max().item<double>(), 1e-4);
  EXPECT_GT((mean - expected).abs().max().item<double>(), 0);
}

TEST_F(AutoencoderKlFile, AnotherNetworksFileIsRefused) {
  write([](std::string name) { return "vae." + name; }, /*half=*/false);
  EXPECT_THAT(error_of([&] { mean_from_file(); }), HasSubstr("decoder.conv_in.bias"));
}

TEST(AutoencoderKl, SidesMustSurviveTheHalvings) {
  AutoencoderKlOptions options = narrow();
  options.height = 6;
  EXPECT_THAT(error_of([&] { make_autoencoder_kl(options); }),
              HasSubstr("expected sides divisible by 4 (3 stages), found 6 x 12"));
  options = narrow();
  options.latent_scale = 0;
  EXPECT_THAT(error_of([&] { make_autoencoder_kl(options); }),
              HasSubstr("latent scale: expected a positive number"));
}

}  // namespace
}  // namespace roundtrip

#include "roundtrip/models/taesd.h"

#include <cmath>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/types.h>
#include <torch/utils.h>

#include "roundtrip/data/dataset.h"
#include "roundtrip/io/float16.h"
#include "roundtrip/nn/init.h"
#include "roundtrip/nn/module_file.h"
#include "tests/data/data_folder.h"
#include "tests/support/error_of.h"
#include "tests/support/shared_data.h"

namespace roundtrip {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// The sizes of tests/reference/taesd.py.
constexpr TaesdOptions kSmallTaesd = {
    .height = 16, .width = 24, .latent_channels = 2, .features = 5};

// The weights of tests/reference/taesd.py; std::map sorts by name as it does.
void fill_as_taesd_reference(torch::nn::Module& module) {
  const torch::NoGradGuard no_grad;
  int64_t j = 0;
  for (auto& [name, tensor] : named_tensors(module)) {
    const torch::Tensor i = torch::arange(tensor.numel(), torch::kFloat64);
    tensor.copy_((0.25 * torch::sin(1 + 0.37 * i + 0.11 * j++)).view(tensor.sizes()));
  }
}

torch::Tensor taesd_picture() {
  const auto axis = [](int64_t n, torch::IntArrayRef shape) {
    return torch::arange(n, torch::kFloat64).view(shape);
  };
  return torch::sin(0.3 * axis(3, {1, 3, 1, 1}) + 0.2 * axis(16, {1, 1, 16, 1}) -
                    0.15 * axis(24, {1, 1, 1, 24}));
}

// From tests/reference/taesd.py.
const std::vector<double> kTaesdMean = {-0.210239975794, -0.195689329341, -0.181109965456,
                                        -0.192660695027, -0.167837235488, -0.175656964667,
                                        -0.175168858769, -0.1671548266,   -0.188643891006,
                                        -0.219472183999, -0.237243561474, -0.248948292255};
const std::vector<double> kTaesdDecodedRow5 = {
    -0.0396194031809, 1.98289079096,   4.29090179973,  6.3565575282,    8.33010489684,
    10.0435354122,    11.5523465795,   12.733222617,   13.6215016307,   14.1441270224,
    14.314953986,     14.1391954562,   13.584673478,   12.7178951467,   11.4841652293,
    10.0320150883,    8.27196578634,   6.39317087305,  4.38047391534,   2.60954694688,
    0.965531986099,   -0.314236992457, -1.11035679233, -1.40818803408,  -3.05755503571,
    -6.2610564284,    -11.0274293879,  -16.1546355939, -21.2078997868,  -25.7061985517,
    -29.6288279273,   -32.723897066,   -35.0148953392, -36.4093771829,  -36.9352961926,
    -36.6221606341,   -35.4434137875,  -33.499662226,  -30.7429115099,  -27.4227241266,
    -23.5070903519,   -19.3200406859,  -14.872409331,  -10.7525993563,  -7.06563315423,
    -4.25919543668,   -2.42297975624,  -1.64355447467, -0.941966975681, 0.803750412298,
    4.10234787692,    8.06774301324,   12.038269699,   15.6161162585,   18.7214314472,
    21.1812358613,    22.9878215676,   24.1055029222,  24.5533060996,   24.3607282676,
    23.5287091348,    22.1090835134,   20.1000915423,  17.646758232,    14.8009099918,
    11.7545451798,    8.53556432862,   5.46042454795,  2.76751998418,   0.746121047242,
    -0.617670364269,  -1.23666464691};

// Numbers are printed to twelve digits; float32 sums of forty layers agree to about 1e-6 of the
// largest.
void expect_close(const torch::Tensor& values, const std::vector<double>& expected) {
  const torch::Tensor reference = torch::tensor(expected, torch::kFloat64);
  ASSERT_EQ(values.numel(), reference.numel());
  const torch::Tensor flat = values.flatten().to(torch::kFloat64);
  const double worst = (flat - reference).abs().max().item<double>();
  const double bound = values.scalar_type() == torch::kFloat64 ? 1e-11 : 1e-5;
  EXPECT_LT(worst, bound * reference.abs().max().item<double>());
}

TEST(Taesd, AgreesWithAnIndependentImplementation) {
  const torch::NoGradGuard no_grad;
  for (const auto type : {torch::kFloat64, torch::kFloat32}) {
    const auto network = make_taesd(kSmallTaesd);
    network->to(type);
    fill_as_taesd_reference(*network);
    const torch::Tensor picture = taesd_picture().to(type);
    const torch::Tensor kept = picture.clone();
    const Posterior posterior = network->posterior(picture);
    EXPECT_EQ(posterior.mean.sizes(), torch::IntArrayRef({1, 2, 2, 3}));
    expect_close(posterior.mean, kTaesdMean);
    EXPECT_TRUE((posterior.log_variance == kLowestLogVariance).all().item<bool>());
    // Twenty times the mean, so that the squeeze of the range shows.
    const torch::Tensor latents = 20 * posterior.mean;
    expect_close(network->decode(latents).select(/*dim=*/2, 5), kTaesdDecodedRow5);
    EXPECT_TRUE(torch::equal(picture, kept));  // layers that work in place leave the input alone
    EXPECT_TRUE(torch::equal(latents, 20 * posterior.mean));
  }
}

// The published files hold 2,445,064 and 2,445,062 bytes of bfloat16.
TEST(Taesd, HasAsManyParametersAsThePublishedFiles) {
  const auto network = make_taesd({});
  std::map<std::string, int64_t> counts;
  for (const auto& item : network->named_parameters()) {
    counts[item.key().substr(0, 7)] += item.value().numel();
  }
  EXPECT_EQ(counts, (std::map<std::string, int64_t>{{"encoder", 2'445'064 / 2},
                                                    {"decoder", 2'445'062 / 2}}));
  EXPECT_EQ(network->latent_shape(), (FrameShape{4, 16, 16}));
}

TEST(Taesd, SidesAreDivisibleByEight) {
  EXPECT_THAT(error_of([] { make_taesd({.height = 128, .width = 60}); }),
              HasSubstr("expected sides divisible by 8, found 128 x 60"));
}

class TaesdFiles : public DataTest {
 protected:
  // Tensors of one part of a network as bfloat16, under the names of the published files.
  static void write_part(const std::string& path, const torch::nn::Module& module,
                         const std::string& part) {
    std::vector<std::vector<uint16_t>> kept;
    std::vector<TensorView> views;
    for (const auto& [name, tensor] : named_tensors(module)) {
      if (!name.starts_with(part + ".")) continue;
      const torch::Tensor rounded = tensor.to(torch::kBFloat16).contiguous();
      const auto* first = static_cast<const uint16_t*>(rounded.data_ptr());
      kept.emplace_back(first, first + rounded.numel());
      views.push_back({name.substr(part.size() + 1), TensorType::bf16, tensor.sizes().vec(), {}});
    }
    for (size_t i = 0; i < views.size(); ++i) views[i].bytes = std::as_bytes(std::span(kept[i]));
    write_safetensors(path, views);
  }

  std::shared_ptr<CodecNetwork> read(const std::string& name) const {
    const auto network = make_taesd(kSmallTaesd);
    read_taesd(path(name), *network);
    return network;
  }

  static std::shared_ptr<CodecNetwork> written(uint64_t seed) {
    const auto network = make_taesd(kSmallTaesd);
    initialise(*network, seed);
    return network;
  }
};

TEST_F(TaesdFiles, AFolderAsPublishedReadsExactly) {
  const auto network = written(7);
  write_part(path("taesd_encoder.safetensors"), *network, "encoder");
  EXPECT_THAT(error_of([&] { read(""); }),
              AllOf(HasSubstr("expected taesd_encoder.safetensors and taesd_decoder.safetensors"),
                    HasSubstr("found no taesd_decoder.safetensors")));
  write_part(path("taesd_decoder.safetensors"), *network, "decoder");
  const auto found = named_tensors(*read(""));
  for (const auto& [name, tensor] : named_tensors(*network)) {
    EXPECT_TRUE(torch::equal(found.at(name), tensor.to(torch::kBFloat16).to(torch::kFloat32)))
        << name;
  }
}

TEST_F(TaesdFiles, OneFileHasBothParts) {
  const auto network = written(8);
  write_tensors(path("codec.safetensors"), named_tensors(*network));
  const auto found = named_tensors(*read("codec.safetensors"));
  for (const auto& [name, tensor] : named_tensors(*network)) {
    EXPECT_TRUE(torch::equal(found.at(name), tensor)) << name;
  }
  write_part(path("encoder_alone.safetensors"), *network, "encoder");
  EXPECT_THAT(error_of([&] { read("encoder_alone.safetensors"); }),
              AllOf(HasSubstr("encoder_alone.safetensors: expected encoder and decoder in one"),
                    HasSubstr("name the folder")));
  EXPECT_THAT(error_of([&] { read("nowhere"); }),
              HasSubstr("nowhere: expected a safetensors file"));
}

TEST_F(TaesdFiles, OtherSizesAreNamed) {
  write_tensors(path("wide.safetensors"),
                named_tensors(*make_taesd({.height = 16, .width = 24, .features = 6})));
  EXPECT_THAT(error_of([&] { read("wide.safetensors"); }),
              AllOf(HasSubstr("expected shape (5"), HasSubstr("network of other sizes")));
}

// Frames of the test split, one per clip of the first four; (4, 3, 128, 128).
torch::Tensor grid_frames() {
  const auto dataset = open_dataset({.path = shared_data("grid").string()});
  std::vector<torch::Tensor> frames;
  for (const int64_t i : {0, 1, 2, 3}) frames.push_back(dataset->read(Split::test, i, 10 * i, 1));
  return torch::cat(frames);
}

class PublishedTaesd : public DataTest {
 protected:
  void SetUp() override {
    for (const char* name : {"taesd", "grid"}) {
      if (shared_data(name).empty()) GTEST_SKIP() << missing_data(name);
    }
    read_taesd(shared_data("taesd"), *network_);
  }

  const std::shared_ptr<CodecNetwork> network_ = make_taesd({});
};

TEST_F(PublishedTaesd, RestoresFaces) {
  const torch::NoGradGuard no_grad;
  const torch::Tensor frames = grid_frames();
  const Posterior posterior = network_->posterior(frames);
  const torch::Tensor decoded = network_->decode(posterior.mean).clamp(-1, 1);
  const double error = ((decoded - frames) / 2).square().mean().item<double>();
  RecordProperty("psnr", fmt::format("{:.2f}", -10 * std::log10(error)));
  // Of pictures in [0, 1]; weights read wrongly give noise, 10 dB at best.
  EXPECT_GT(-10 * std::log10(error), 25);
  EXPECT_NEAR(posterior.mean.std().item<double>(), 1, 0.5);  // made to be about standardised
}

// Needs PyTorch for Python, which reads the files.
TEST_F(PublishedTaesd, AgreesWithPythonSlow) {
  if (std::system("/usr/bin/python3 -c 'import torch, numpy' 2>/dev/null") != 0) {
    GTEST_SKIP() << "no PyTorch for /usr/bin/python3";
  }
  const torch::NoGradGuard no_grad;
  NamedTensors tensors;
  tensors["input"] = grid_frames();
  tensors["mean"] = network_->posterior(tensors["input"]).mean;
  tensors["decoded"] = network_->decode(tensors["mean"]);
  write_tensors(path("made.safetensors"), tensors);
  const std::string command =
      fmt::format("/usr/bin/python3 {}/tests/reference/taesd.py compare {} {}",
                  ROUNDTRIP_SOURCE_DIR, path("made.safetensors"), shared_data("taesd").string());
  EXPECT_EQ(std::system(command.c_str()), 0);
}

}  // namespace
}  // namespace roundtrip

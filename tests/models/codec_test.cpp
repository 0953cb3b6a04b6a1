#include "roundtrip/models/codec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/types.h>
#include <torch/utils.h>

#include "roundtrip/base/settings.h"
#include "roundtrip/models/cvae.h"
#include "roundtrip/models/identity_codec.h"
#include "roundtrip/nn/init.h"
#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

CodecScales plain(int64_t fields, int64_t channels) {
  return {std::vector<double>(fields, 0), std::vector<double>(fields, 1),
          identity_standardiser(channels)};
}

std::shared_ptr<CodecNetwork> small_cvae() {
  CvaeOptions options;
  options.fields = 2;
  options.height = options.width = 8;
  options.latent_channels = 2;
  options.stem = 4;
  options.widths = {4, 8};
  options.heads = 2;
  options.groups = 2;
  const auto network = make_cvae(options);
  network->initialise(3);
  return network;
}

TEST(Codec, TheIdentityComesBackExactly) {
  const Codec codec(make_identity_codec({2, 4, 4}), plain(2, 2));
  const torch::Tensor frames = keyed_normal({5, 2, 4, 4}, 1, "frames");
  EXPECT_TRUE(torch::equal(codec.encode(frames), frames));
  EXPECT_TRUE(torch::equal(codec.decode(codec.encode(frames)), frames));
  EXPECT_THAT(codec.live_channels(), ElementsAre(0, 1));
}

TEST(Codec, ScalesFieldsAndLatents) {
  CodecScales scales;
  scales.field_mean = {34.8, 0.94};
  scales.field_std = {44.0, 0.06};
  scales.latent = {{0.5, 0}, {2, 1}, {1}};
  const Codec codec(make_identity_codec({2, 1, 1}), scales);
  const torch::Tensor frames = torch::tensor({78.8f, 1.0f}).view({1, 2, 1, 1});
  const torch::Tensor latents = codec.encode(frames);
  EXPECT_FLOAT_EQ(latents[0][0].item<float>(), ((78.8f - 34.8) / 44 - 0.5) / 2);
  EXPECT_FLOAT_EQ(latents[0][1].item<float>(), (1.0f - 0.94) / 0.06);  // collapsed: not rescaled
  EXPECT_TRUE(torch::allclose(codec.decode(latents), frames, 1e-6));
  EXPECT_THAT(codec.live_channels(), ElementsAre(0));
}

// Encoding is the network between the two scalings, whatever the number of frames at a time.
TEST(Codec, IsTheNetworkBetweenItsScalings) {
  const auto network = small_cvae();
  CodecScales scales;
  scales.field_mean = {1, -2};
  scales.field_std = {3, 0.5};
  scales.latent = {{0.1, -0.1, 0, 0.3}, {2, 0.5, 1, 1.5}, {2}};
  const Codec at_once(network, scales, 7), in_parts(network, scales, 3);
  const torch::Tensor frames = 2 * keyed_normal({7, 2, 8, 8}, 1, "frames");
  const torch::NoGradGuard no_grad;
  const auto column = [](std::vector<float> v) {
    return torch::tensor(v).view({1, static_cast<int64_t>(v.size()), 1, 1});
  };
  const torch::Tensor raw = network->posterior((frames - column({1, -2})) / column({3, 0.5})).mean;
  const torch::Tensor expected = (raw - column({0.1, -0.1, 0, 0.3})) / column({2, 0.5, 1, 1.5});
  EXPECT_TRUE(torch::allclose(at_once.encode(frames), expected, 1e-4, 1e-5));
  EXPECT_TRUE(torch::allclose(in_parts.encode(frames), expected, 1e-4, 1e-5));
  const torch::Tensor back = network->decode(raw) * column({3, 0.5}) + column({1, -2});
  EXPECT_TRUE(torch::allclose(in_parts.decode(expected), back, 1e-4, 1e-4));
}

TEST(Codec, KeepsNoGradients) {
  const Codec codec(small_cvae(), plain(2, 4));
  const torch::Tensor frames = keyed_normal({2, 2, 8, 8}, 1, "frames");
  EXPECT_FALSE(codec.encode(frames).requires_grad());
  EXPECT_FALSE(codec.decode(codec.encode(frames)).requires_grad());
  EXPECT_FALSE(codec.posterior(frames).log_variance.requires_grad());
}

// The way training goes: statistics of the network's own posteriors, then unit latents.
TEST(Codec, StandardisedByItsStatisticsTheLatentsHaveUnitVariance) {
  Codec codec(small_cvae(), plain(2, 4));
  const torch::Tensor frames = keyed_normal({20, 2, 8, 8}, 1, "frames");
  LatentStatistics statistics;
  Posterior narrow = codec.posterior(frames);
  narrow.log_variance.fill_(-20);  // an untrained network's posteriors are wide: all collapsed
  statistics.add(narrow);
  codec.standardise_by(standardiser_of(statistics.channels()));
  const torch::Tensor latents = codec.encode(frames).to(torch::kFloat64);
  EXPECT_LT(latents.mean({0, 2, 3}).abs().max().item<double>(), 1e-5);
  const torch::Tensor variance = latents.var({0, 2, 3}, /*unbiased=*/false);
  EXPECT_LT((variance - 1).abs().max().item<double>(), 1e-5);
}

TEST(Codec, ScalesSurviveATomlDocument) {
  CodecScales scales;
  scales.field_mean = {1.0 / 3, -2e-9};
  scales.field_std = {3, 0.1};
  scales.latent = {{0.1, 0, 0, 0}, {2, 1, 1, 1}, {2, 3}};
  Settings out("model");
  bind(scales, out);
  CodecScales read;
  Settings in("model");
  bind(read, in);
  in.read_toml(out.to_toml());
  EXPECT_EQ(read.field_mean, scales.field_mean);
  EXPECT_EQ(read.field_std, scales.field_std);
  EXPECT_EQ(read.latent.shift, scales.latent.shift);
  EXPECT_EQ(read.latent.scale, scales.latent.scale);
  EXPECT_EQ(read.latent.collapsed, scales.latent.collapsed);
}

TEST(Codec, ScalesMustFitTheNetwork) {
  const auto with = [](const CodecScales& scales) {
    return error_of([&] { Codec(make_identity_codec({2, 4, 4}), scales); });
  };
  EXPECT_THAT(with(plain(3, 2)), HasSubstr("field mean: expected 2 finite numbers, found 3"));
  EXPECT_THAT(with(plain(2, 1)), HasSubstr("latent shift: expected 2 finite numbers, found 1"));
  CodecScales flat = plain(2, 2);
  flat.field_std[1] = 0;
  EXPECT_THAT(with(flat), HasSubstr("field std: expected 2 positive numbers"));
  CodecScales collapsed = plain(2, 2);
  collapsed.latent.collapsed = {0, 1};
  EXPECT_THAT(with(collapsed), HasSubstr("every latent channel has collapsed"));
}

}  // namespace
}  // namespace roundtrip

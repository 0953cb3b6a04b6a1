#include "roundtrip/train/latent_stage.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/types.h>
#include <torch/utils.h>

#include "roundtrip/models/identity_codec.h"
#include "tests/data/data_folder.h"
#include "tests/train/small_model.h"

namespace roundtrip {
namespace {

// More frames than are read at once.
MemoryDataset small_dataset(const std::string& name = "memory") {
  return MemoryDataset(
      {{Split::train, {random_walk(70, {2, 8, 8}, 0), random_walk(5, {2, 8, 8}, 1)}},
       {Split::selection, {random_walk(3, {2, 8, 8}, 2)}}},
      name);
}

LatentStandardiser some_standardiser() { return {{0.1, -0.2, 0, 0.3}, {2, 1.0 / 3, 1, 0.7}, {2}}; }

Codec small_codec(const std::shared_ptr<CodecNetwork>& network) {
  return Codec(network,
               {{0.5, -1}, {3, 2}, identity_standardiser(network->latent_shape().channels)});
}

const FramesDone kSilent = [](int64_t) {};

class LatentStageTest : public DataTest {
 protected:
  const MemoryDataset dataset_ = small_dataset();
};

// The raw latents are stored in float32 and standardised later.
TEST_F(LatentStageTest, EncodingInTwoStepsGivesTheLatentsOfOne) {
  for (const auto type : {torch::kFloat32, torch::kFloat64}) {
    const auto network = small_cvae(7);
    network->to(type);
    Codec codec = small_codec(network);
    encode_training(path("raw"), "raw", codec, dataset_, kSilent);
    const LatentCache raw(path("raw"), "raw");
    codec.standardise_by(some_standardiser());
    standardise_training(path("raw"), "raw", path("two"), "fine", codec);
    write_latents(path("one"), "fine", codec, dataset_, Split::train, kSilent);
    EXPECT_FALSE(std::filesystem::exists(path("raw")));
    const LatentCache one(path("one"), "fine"), two(path("two"), "fine");
    ASSERT_EQ(two.lengths(), (std::vector<int64_t>{70, 5}));
    ASSERT_EQ(one.lengths(), two.lengths());
    for (int64_t i = 0; i < 2; ++i) {
      const torch::Tensor a = one.trajectory(i), b = two.trajectory(i);
      // A network in single precision rounds nothing twice. One in double: 2^-24 of the raw latent,
      // divided by the smallest scale, 1/3, and 2^-24 of each result.
      const double scale = std::max(3 * raw.trajectory(i).abs().max().item<double>(),
                                    2 * a.abs().max().item<double>());
      const double bound = type == torch::kFloat32 ? 0 : 2 * std::ldexp(scale, -24);
      EXPECT_LE((a - b).abs().max().item<double>(), bound) << i;
    }
  }
}

TEST_F(LatentStageTest, LatentsAreThoseOfTheCodec) {
  Codec codec = small_codec(small_cvae(7));
  codec.standardise_by(some_standardiser());
  write_latents(path("latents"), "fine", codec, dataset_, Split::selection, kSilent);
  const LatentCache latents(path("latents"), "fine");
  ASSERT_EQ(latents.lengths(), (std::vector<int64_t>{3}));
  EXPECT_TRUE(
      torch::equal(latents.trajectory(0), codec.encode(dataset_.whole(Split::selection, 0))));
}

TEST_F(LatentStageTest, StatisticsAreThoseOfAllTrainingFrames) {
  const Codec codec = small_codec(make_identity_codec({2, 8, 8}));
  int64_t frames = 0;
  const auto channels =
      encode_training(path("raw"), "raw", codec, dataset_, [&](int64_t count) { frames += count; });
  EXPECT_EQ(frames, 75);
  ASSERT_EQ(channels.size(), 2);
  const torch::Tensor all =
      codec
          .normalise(torch::cat({dataset_.whole(Split::train, 0), dataset_.whole(Split::train, 1)}))
          .to(torch::kFloat64);
  for (int64_t c = 0; c < 2; ++c) {
    const LatentChannel& found = channels[static_cast<size_t>(c)];
    const torch::Tensor values = all.select(1, c);
    EXPECT_NEAR(found.mean, values.mean().item<double>(), 1e-12);
    const double variance = values.var(/*unbiased=*/false).item<double>();
    EXPECT_NEAR(found.variance, variance, 1e-10 * variance);
    EXPECT_FALSE(found.collapsed());
  }
  // The cache holds the network's latents, in order.
  const LatentCache raw(path("raw"), "raw");
  EXPECT_TRUE(
      torch::equal(torch::cat({raw.trajectory(0), raw.trajectory(1)}), all.to(torch::kFloat32)));
}

TEST_F(LatentStageTest, StepSpreadIsTheRootMeanSquareOfChanges) {
  const LatentCache latents = small_latents(path("latents"), {6, 3});
  std::vector<double> sums(3, 0);
  for (int64_t i = 0; i < 2; ++i) {
    for (int64_t t = 1; t < latents.lengths()[static_cast<size_t>(i)]; ++t) {
      for (int64_t c = 0; c < 3; ++c) {
        for (int64_t place = 0; place < 16; ++place) {
          const auto at = [&](int64_t frame) {
            return static_cast<double>(latents.frame(i, frame)[c].flatten()[place].item<float>());
          };
          sums[static_cast<size_t>(c)] += std::pow(at(t) - at(t - 1), 2);
        }
      }
    }
  }
  const std::vector<double> found = step_spread(latents, {}), collapsed = step_spread(latents, {1});
  ASSERT_EQ(found.size(), 3);
  for (size_t c = 0; c < 3; ++c) {
    const double expected = std::sqrt(sums[c] / (7 * 16));  // 5 + 2 steps, 16 places
    EXPECT_NEAR(found[c], expected, 1e-12);
    EXPECT_EQ(collapsed[c], c == 1 ? 1 : found[c]);
  }
}

TEST_F(LatentStageTest, AChannelThatNeverChangesHasSpreadOne) {
  LatentCacheWriter writer(path("latents"), "small", {4}, {2, 1, 1});
  const torch::Tensor moving = torch::arange(4).to(torch::kFloat32) * 3;
  writer.append(torch::stack({torch::full({4}, 7.5F), moving}, 1).view({4, 2, 1, 1}));
  writer.finish();
  EXPECT_EQ(step_spread(LatentCache(path("latents"), "small"), {}), (std::vector<double>{1, 3}));
}

TEST_F(LatentStageTest, TheFingerprintFollowsWhatLatentsDependOn) {
  const auto network = small_cvae(7);
  Codec codec = small_codec(network);
  const std::string plain = latent_fingerprint(codec, {}, dataset_);
  CodecConfig elsewhere, other;
  elsewhere.weights = "elsewhere";
  elsewhere.frozen = true;
  other.heads = 2;
  EXPECT_EQ(latent_fingerprint(codec, elsewhere, dataset_), plain);
  EXPECT_NE(latent_fingerprint(codec, other, dataset_), plain);

  // Another codec of the same weights, another order of work, another object of the same data.
  codec.encode(dataset_.whole(Split::selection, 0));
  const auto same = small_cvae(7);
  same->eval();
  const Codec in_parts(same, codec.scales(), /*frames_at_once=*/1);
  EXPECT_EQ(latent_fingerprint(in_parts, {}, small_dataset()), plain);

  EXPECT_NE(latent_fingerprint(small_codec(small_cvae(8)), {}, dataset_), plain);
  EXPECT_NE(latent_fingerprint(codec, {}, small_dataset("other data")), plain);
  CodecScales scales = codec.scales();
  scales.field_std[1] = std::nextafter(scales.field_std[1], 9.0);
  EXPECT_NE(latent_fingerprint(Codec(network, scales), {}, dataset_), plain);
  codec.standardise_by(some_standardiser());
  EXPECT_NE(latent_fingerprint(codec, {}, dataset_), plain);
  codec.standardise_by(identity_standardiser(4));
  EXPECT_EQ(latent_fingerprint(codec, {}, dataset_), plain);
  {
    const torch::NoGradGuard no_grad;
    network->parameters().back().flatten()[0] += 1e-6;
  }
  EXPECT_NE(latent_fingerprint(codec, {}, dataset_), plain);
}

}  // namespace
}  // namespace roundtrip

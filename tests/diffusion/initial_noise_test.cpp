#include "roundtrip/diffusion/initial_noise.h"

#include <gtest/gtest.h>
#include <torch/types.h>

namespace roundtrip {
namespace {

constexpr FrameShape kFrame = {2, 3, 4};

TEST(InitialNoise, FixedIsOneNoiseForEverything) {
  const InitialNoise noise(NoiseKey::fixed, 7, kFrame);
  const torch::Tensor rows = noise.initial({1, 5, 5}, {1, 1, -1});
  EXPECT_EQ(rows.sizes(), (std::vector<int64_t>{3, 2, 3, 4}));
  EXPECT_TRUE(torch::equal(rows[0], rows[1]));
  EXPECT_TRUE(torch::equal(rows[1], rows[2]));
  EXPECT_FALSE(
      torch::equal(rows[0], InitialNoise(NoiseKey::fixed, 8, kFrame).initial({1}, {1})[0]));
}

TEST(InitialNoise, KeysTellApartWhatTheyName) {
  const InitialNoise by_target(NoiseKey::target, 7, kFrame);
  const torch::Tensor t = by_target.initial({1, 2, 2}, {1, 1, -1});
  EXPECT_FALSE(torch::equal(t[0], t[1]));
  EXPECT_TRUE(torch::equal(t[1], t[2]));
  const InitialNoise by_direction(NoiseKey::direction, 7, kFrame);
  const torch::Tensor d = by_direction.initial({1, 2, 2, 3}, {1, 1, -1, -1});
  for (int64_t a = 0; a < 4; ++a) {
    for (int64_t b = 0; b < a; ++b) EXPECT_FALSE(torch::equal(d[a], d[b])) << a << " " << b;
  }
}

TEST(InitialNoise, DoesNotDependOnTheBatch) {
  for (const NoiseKeyRow& row : noise_keys()) {
    const InitialNoise noise(row.value, 7, kFrame, torch::kFloat64);
    const torch::Tensor batch = noise.initial({4, 9, 2}, {1, -1, -1});
    EXPECT_EQ(batch.scalar_type(), torch::kFloat64);
    EXPECT_TRUE(torch::equal(batch[1], noise.initial({9}, {-1})[0])) << row.name;
    EXPECT_TRUE(torch::equal(
        batch[1], InitialNoise(row.value, 7, kFrame, torch::kFloat64).initial({9}, {-1})[0]))
        << row.name;
  }
}

TEST(InitialNoise, EveryCallOfASampleDrawsItsOwn) {
  for (const NoiseKeyRow& row : noise_keys()) {
    const InitialNoise noise(row.value, 7, kFrame);
    const torch::Tensor first = noise.step(0, {1}, {1});
    EXPECT_FALSE(torch::equal(first, noise.step(1, {1}, {1}))) << row.name;
    EXPECT_FALSE(torch::equal(first, noise.initial({1}, {1}))) << row.name;
    EXPECT_TRUE(torch::equal(first, noise.step(0, {1}, {1}))) << row.name;
  }
}

// 20 000 draws: mean within 4 / sqrt(n), variance within 4 sqrt(2 / n).
TEST(InitialNoise, IsStandardNormal) {
  const torch::Tensor x = InitialNoise(NoiseKey::fixed, 1, {2, 100, 100}).initial({0}, {1});
  EXPECT_NEAR(x.mean().item<double>(), 0, 0.029);
  EXPECT_NEAR(x.var().item<double>(), 1, 0.04);
}

}  // namespace
}  // namespace roundtrip

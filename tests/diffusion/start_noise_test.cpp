#include "roundtrip/diffusion/start_noise.h"

#include <gtest/gtest.h>
#include <torch/types.h>

namespace roundtrip {
namespace {

const std::vector<int64_t> kFrame = {2, 3, 4};

TEST(StartNoise, FixedIsOneNoiseForEverything) {
  const StartNoise noise(NoiseKey::fixed, 7, kFrame);
  const torch::Tensor rows = noise.start({1, 5, 5}, {1, 1, -1});
  EXPECT_EQ(rows.sizes(), (std::vector<int64_t>{3, 2, 3, 4}));
  EXPECT_TRUE(torch::equal(rows[0], rows[1]));
  EXPECT_TRUE(torch::equal(rows[1], rows[2]));
  EXPECT_FALSE(torch::equal(rows[0], StartNoise(NoiseKey::fixed, 8, kFrame).start({1}, {1})[0]));
}

TEST(StartNoise, KeysTellApartWhatTheyName) {
  const StartNoise by_target(NoiseKey::target, 7, kFrame);
  const torch::Tensor t = by_target.start({1, 2, 2}, {1, 1, -1});
  EXPECT_FALSE(torch::equal(t[0], t[1]));
  EXPECT_TRUE(torch::equal(t[1], t[2]));
  const StartNoise by_direction(NoiseKey::direction, 7, kFrame);
  const torch::Tensor d = by_direction.start({1, 2, 2, 3}, {1, 1, -1, -1});
  for (int64_t a = 0; a < 4; ++a) {
    for (int64_t b = 0; b < a; ++b) EXPECT_FALSE(torch::equal(d[a], d[b])) << a << " " << b;
  }
}

TEST(StartNoise, DoesNotDependOnTheBatch) {
  for (const NoiseKeyEntry& row : noise_keys()) {
    const StartNoise noise(row.value, 7, kFrame, torch::kFloat64);
    const torch::Tensor batch = noise.start({4, 9, 2}, {1, -1, -1});
    EXPECT_EQ(batch.scalar_type(), torch::kFloat64);
    EXPECT_TRUE(torch::equal(batch[1], noise.start({9}, {-1})[0])) << row.name;
    EXPECT_TRUE(torch::equal(batch[1],
                             StartNoise(row.value, 7, kFrame, torch::kFloat64).start({9}, {-1})[0]))
        << row.name;
  }
}

TEST(StartNoise, EveryCallOfASampleDrawsItsOwn) {
  for (const NoiseKeyEntry& row : noise_keys()) {
    const StartNoise noise(row.value, 7, kFrame);
    const torch::Tensor first = noise.step(0, {1}, {1});
    EXPECT_FALSE(torch::equal(first, noise.step(1, {1}, {1}))) << row.name;
    EXPECT_FALSE(torch::equal(first, noise.start({1}, {1}))) << row.name;
    EXPECT_TRUE(torch::equal(first, noise.step(0, {1}, {1}))) << row.name;
  }
}

// 20 000 draws: mean within 4 / sqrt(n), variance within 4 sqrt(2 / n).
TEST(StartNoise, IsStandardNormal) {
  const torch::Tensor x = StartNoise(NoiseKey::fixed, 1, {2, 100, 100}).start({0}, {1});
  EXPECT_NEAR(x.mean().item<double>(), 0, 0.029);
  EXPECT_NEAR(x.var().item<double>(), 1, 0.04);
}

}  // namespace
}  // namespace roundtrip

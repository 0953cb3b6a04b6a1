#include "roundtrip/calibration/pixel_tally.h"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "roundtrip/base/random.h"
#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

// A rollout of `count` pixels around `truth`, with errors drawn from `deviation` and said to be of
// `sigma`.
struct Pixels {
  std::vector<float> predicted, truth, sigma;
  PixelTally tally() const { return tally_pixels(predicted, truth, sigma); }
};

Pixels draw(uint64_t stream, size_t count, double deviation, double sigma) {
  const RandomStream random(stream, "test.tally");
  Pixels out;
  for (size_t i = 0; i < count; ++i) {
    out.truth.push_back(2);
    out.predicted.push_back(static_cast<float>(2 + deviation * random.normal(i)));
    out.sigma.push_back(static_cast<float>(sigma));
  }
  return out;
}

TEST(PixelTally, ARightSigmaIsCalibrated) {
  const PixelTally tally = draw(1, 100'000, 0.3, 0.3).tally();
  const PixelTally* const one[] = {&tally};
  const PixelScores scores = pool_pixels(one);
  // 1e5 draws: shares to 4 sqrt(1/4 / n) = 0.0063, areas below half of it; the kurtosis of a normal
  // law to 4 sqrt(24 / n) = 0.062; means of |error| and of squares to a percent.
  EXPECT_LT(scores.errors.ma, 0.0032);
  EXPECT_NEAR(scores.within_one, 0.6827, 0.0063);
  EXPECT_NEAR(scores.kurtosis, 3, 0.062);
  EXPECT_NEAR(scores.relative_l2, 0.15, 0.0015);
  EXPECT_NEAR(scores.absolute_error, 0.3 * std::sqrt(2 / M_PI), 0.0024);
}

TEST(PixelTally, PoolingEqualsOneGreatRollout) {
  // A wide and a narrow one of different size: their pixels count alike, their L2 each once.
  const Pixels a = draw(2, 3000, 0.3, 0.2), b = draw(3, 1000, 0.1, 0.2);
  Pixels both = a;
  both.predicted.insert(both.predicted.end(), b.predicted.begin(), b.predicted.end());
  both.truth.insert(both.truth.end(), b.truth.begin(), b.truth.end());
  both.sigma.insert(both.sigma.end(), b.sigma.begin(), b.sigma.end());
  const PixelTally first = a.tally(), second = b.tally(), whole = both.tally();
  const PixelTally* const two[] = {&first, &second};
  const PixelTally* const one[] = {&whole};
  const PixelScores pooled = pool_pixels(two), great = pool_pixels(one);
  EXPECT_NEAR(pooled.errors.ma, great.errors.ma, 1e-12);  // the same counts, divided elsewhere
  EXPECT_NEAR(pooled.errors.rmsce, great.errors.rmsce, 1e-12);
  EXPECT_NEAR(pooled.within_one, great.within_one, 1e-12);
  EXPECT_NEAR(pooled.kurtosis, great.kurtosis, 1e-9);
  EXPECT_NEAR(pooled.absolute_error, great.absolute_error, 1e-12);
  EXPECT_NEAR(pooled.relative_l2, (first.relative_l2 + second.relative_l2) / 2, 1e-15);
}

TEST(PixelTally, AFileBringsRowsBack) {
  const PixelRow row{.field = "vorticity",
                     .object = "cycle",
                     .trajectory = 17,
                     .depth = 3,
                     .samples = 5,
                     .fit = {.kappa = 0.75, .lambda = 0.5},
                     .tally = draw(4, 500, 0.3, 0.2).tally()};
  const auto back = pixel_rows_from(parse_csv(pixel_rows_to_csv({row}), "pixels.csv"));
  ASSERT_EQ(back.size(), 1U);
  EXPECT_EQ(back[0].field, "vorticity");
  EXPECT_EQ(back[0].object, "cycle");
  EXPECT_EQ(back[0].trajectory, 17);
  EXPECT_EQ(back[0].depth, 3);
  EXPECT_EQ(back[0].samples, 5);
  EXPECT_EQ(back[0].fit.lambda, 0.5);
  // Nine digits.
  EXPECT_NEAR(back[0].tally.z_fourth, row.tally.z_fourth, 1e-8 * row.tally.z_fourth);
  ASSERT_EQ(back[0].tally.inside.size(), 100U);
  EXPECT_NEAR(back[0].tally.inside[42], row.tally.inside[42], 1e-9);
  EXPECT_THAT(error_of([] { pixel_rows_from(parse_csv("field,object\nv,cycle\n", "bad.csv")); }),
              testing::HasSubstr("bad.csv"));
}

TEST(PixelTally, DivergedPixelsLieOutside) {
  Pixels pixels = draw(5, 4, 0.1, 0.1);
  pixels.predicted = {2, 2, std::numeric_limits<float>::quiet_NaN(),
                      std::numeric_limits<float>::infinity()};
  const PixelTally tally = pixels.tally();
  EXPECT_EQ(tally.within_one, 0.5);
  EXPECT_EQ(tally.inside[98], 0.5);
  EXPECT_TRUE(std::isinf(tally.relative_l2));
  pixels = draw(5, 2, 0, 0.1);
  pixels.sigma[0] = std::numeric_limits<float>::quiet_NaN();  // of a C that is none
  EXPECT_EQ(pixels.tally().within_one, 0.5);
}

TEST(PixelTally, WantsSigmasAboveZeroAndAFiniteTruth) {
  Pixels pixels = draw(6, 3, 0.1, 0.1);
  pixels.sigma[1] = 0;
  EXPECT_THAT(error_of([&] { pixels.tally(); }), testing::HasSubstr("sigma 0"));
  pixels = draw(6, 3, 0.1, 0.1);
  pixels.truth[2] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THAT(error_of([&] { pixels.tally(); }), testing::HasSubstr("nan"));
  pixels.truth.assign(3, 0);
  EXPECT_THAT(error_of([&] { pixels.tally(); }), testing::HasSubstr("other than 0"));
}

}  // namespace
}  // namespace roundtrip

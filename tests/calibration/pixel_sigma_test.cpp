#include "roundtrip/calibration/pixel_sigma.h"

#include <cmath>

#include <gtest/gtest.h>

#include "roundtrip/base/random.h"
#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

constexpr size_t kPixels = 64 * 64;

// Frames whose residuals have exactly the sigma of a known object.
struct Drawn {
  std::vector<std::vector<float>> residuals, shapes;
  std::vector<PixelFrame> frames;
};

Drawn draw(const PixelSigma& truth, size_t frames) {
  Drawn out;
  const RandomStream random(9, "test.pixels");
  for (size_t f = 0; f < frames; ++f) {
    std::vector<float> shape(kPixels), sigma(kPixels), residual(kPixels);
    for (size_t i = 0; i < kPixels; ++i) {
      shape[i] = static_cast<float>(std::exp(std::sin(0.01 * static_cast<double>(i * (f + 1)))));
    }
    truth.fill(0.1 * static_cast<double>(f + 1), shape, sigma);
    for (size_t i = 0; i < kPixels; ++i) {
      residual[i] = sigma[i] * static_cast<float>(random.normal(f * kPixels + i));
    }
    out.residuals.push_back(residual);
    out.shapes.push_back(shape);
  }
  for (size_t f = 0; f < frames; ++f) {
    out.frames.push_back({.scale = 0.1 * static_cast<double>(f + 1),
                          .residual = out.residuals[f],
                          .shape = out.shapes[f]});
  }
  return out;
}

TEST(PixelSigma, FindsScaleAndMixing) {
  for (const double lambda : {0.0, 0.4, 1.0}) {
    const Drawn drawn = draw({.kappa = 1.7, .lambda = lambda}, 10);
    const PixelSigma found = fit_pixel_sigma(drawn.frames, /*mixed=*/true);
    // 40960 pixels: kappa to 1 / sqrt(2 n) = 0.35 percent, lambda to a few hundredths.
    EXPECT_NEAR(found.kappa, 1.7, 1.7 * 4 * 0.0035);
    EXPECT_NEAR(found.lambda, lambda, 0.05);
  }
}

TEST(PixelSigma, AConstantIsTheRootMeanSquare) {
  const std::vector<float> residual = {3, -4};
  const std::vector<PixelFrame> frames = {{.scale = 2, .residual = residual, .shape = {}}};
  const PixelSigma found = fit_pixel_sigma(frames, /*mixed=*/false);
  EXPECT_EQ(found.lambda, 0);
  EXPECT_NEAR(found.kappa, std::sqrt(12.5) / 2, 1e-12);
  std::vector<float> sigma(2);
  found.fill(2, {}, sigma);
  EXPECT_FLOAT_EQ(sigma[1], static_cast<float>(std::sqrt(12.5)));
}

TEST(PixelSigma, AShapeAloneKeepsItsOwnSize) {
  const std::vector<float> shape = {1, 2, 3}, residual = {2, -4, 6};
  const std::vector<PixelFrame> frames = {
      {.scale = shape_scale(shape), .residual = residual, .shape = shape}};
  const PixelSigma found = fit_pixel_sigma(frames, /*mixed=*/false);
  EXPECT_EQ(found.lambda, 1);
  std::vector<float> sigma(3);
  found.fill(shape_scale(shape), shape, sigma);
  for (size_t i = 0; i < 3; ++i) EXPECT_FLOAT_EQ(sigma[i], 2 * shape[i]);
}

TEST(PixelSigma, MeansOfLogErrorsBecomeScales) {
  EXPECT_DOUBLE_EQ(frame_scale(std::log(0.25)), 0.5);  // an MSE of 0.25 is an RMS of 0.5
}

TEST(PixelSigma, DegenerateFrames) {
  const std::vector<float> residual = {1, 1}, zero = {0, 0}, spike = {0, 1};
  std::vector<float> sigma(2);
  const PixelSigma full = {.kappa = 1, .lambda = 1};
  full.fill(1, zero, sigma);
  EXPECT_EQ(sigma, (std::vector<float>{1, 1}));
  full.fill(1, spike, sigma);
  EXPECT_GT(sigma[0], 0);
  const auto fit = [](std::span<const float> r, std::span<const float> h, double scale) {
    const std::vector<PixelFrame> frames = {{.scale = scale, .residual = r, .shape = h}};
    fit_pixel_sigma(frames, true);
  };
  EXPECT_NE(error_of([&] { fit(zero, {}, 1); }).find("other than 0"), std::string::npos);
  EXPECT_NE(error_of([&] { fit(residual, {}, 0); }).find("scale above 0"), std::string::npos);
  const std::vector<float> short_shape = {1};
  EXPECT_NE(error_of([&] { fit(residual, short_shape, 1); }).find("as large"), std::string::npos);
}

TEST(PixelSigma, ObjectsOfTheBenchmarkHaveNames) {
  EXPECT_EQ(names_of(pixel_objects()),
            (std::vector<std::string>{"constant", "cycle", "spread", "composed", "depth"}));
}

}  // namespace
}  // namespace roundtrip

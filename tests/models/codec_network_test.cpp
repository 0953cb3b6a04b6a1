#include "roundtrip/models/codec_network.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/types.h>

#include "roundtrip/models/identity_codec.h"
#include "roundtrip/nn/init.h"
#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

using ::testing::HasSubstr;

// A codec whose best posterior is known: latents are slope times the frames, the decoder divides by
// the slope again, and the log variance is what it is set to.
class LinearCodec : public CodecNetwork {
 public:
  explicit LinearCodec(double slope) : slope_(slope) {
    log_variance = register_parameter("log_variance", torch::zeros({1}, torch::kFloat64));
  }
  Posterior posterior(const torch::Tensor& frames) override {
    return {slope_ * frames, log_variance.expand_as(frames)};
  }
  torch::Tensor decode(const torch::Tensor& latents) override { return latents / slope_; }
  FrameShape frame_shape() const override { return {2, 4, 4}; }
  FrameShape latent_shape() const override { return {2, 4, 4}; }

  torch::Tensor log_variance;

 private:
  double slope_;
};

torch::Tensor draw(const char* purpose, int64_t batch = 3) {
  return keyed_normal({batch, 2, 4, 4}, 1, purpose, 0, torch::kFloat64);
}

TEST(KlDivergence, IsZeroForThePriorAndHasItsClosedForm) {
  const torch::Tensor zero = torch::zeros({1, 1, 1, 1}, torch::kFloat64);
  EXPECT_EQ(kl_divergence({zero, zero}, 1).item<double>(), 0);
  EXPECT_NEAR(kl_divergence({zero, zero + 2 * std::log(0.2)}, 0.2).item<double>(), 0, 1e-15);
  const double mean = 1.5, variance = 0.3;
  const double kl = kl_divergence({zero + mean, zero + std::log(variance)}, 1).item<double>();
  EXPECT_NEAR(kl, 0.5 * (mean * mean + variance - 1 - std::log(variance)), 1e-15);
}

// The definition, integral of q log(q / p), by the trapezoid rule; exact to rounding for a Gaussian
// that is smooth and ends within the range.
TEST(KlDivergence, IsTheIntegralThatDefinesIt) {
  const double mean = 0.7, variance = 0.5, prior = 0.8;
  const auto log_density = [](double x, double m, double v) {
    return -0.5 * ((x - m) * (x - m) / v + std::log(2 * M_PI * v));
  };
  double integral = 0;
  const double step = 0.01;
  for (double x = -12; x < 12; x += step) {
    const double log_q = log_density(x, mean, variance);
    integral += step * std::exp(log_q) * (log_q - log_density(x, 0, prior * prior));
  }
  const torch::Tensor one = torch::ones({1, 1, 1, 1}, torch::kFloat64);
  const double kl = kl_divergence({mean * one, std::log(variance) * one}, prior).item<double>();
  EXPECT_NEAR(kl, integral, 1e-12);
}

TEST(CodecLoss, IsErrorPlusWeightedKl) {
  LinearCodec network(2);
  const torch::Tensor frames = draw("frames"), noise = draw("noise");
  const CodecLoss loss = codec_loss(network, frames, noise, 0.1);
  // The decoded frame is off by noise / 2.
  EXPECT_NEAR(loss.reconstruction.item<double>(), noise.square().mean().item<double>() / 4, 1e-14);
  EXPECT_NEAR(loss.kl.item<double>(), 2 * frames.square().mean().item<double>(), 1e-14);
  EXPECT_NEAR(loss.total.item<double>(),
              loss.reconstruction.item<double>() + 0.1 * loss.kl.item<double>(), 1e-14);
  ASSERT_EQ(loss.channel_kl.sizes(), torch::IntArrayRef({2}));
  EXPECT_NEAR(loss.channel_kl.mean().item<double>(), loss.kl.item<double>(), 1e-14);
  EXPECT_NEAR(loss.channel_kl[1].item<double>(),
              2 * frames.select(1, 1).square().mean().item<double>(), 1e-14);
}

// What the header says of the weight: at the best width of the posterior the noise costs half of
// it. The derivative of the loss by the log variance vanishes where variance (1 / slope^2 + weight
// / 2) equals weight / 2; the error there is variance / slope^2.
TEST(CodecLoss, AtTheBestPosteriorNoiseCostsHalfTheWeight) {
  const double slope = 30, weight = 1e-3;
  LinearCodec network(slope);
  const double best = (weight / 2) / (1 / (slope * slope) + weight / 2);
  network.log_variance.data().fill_(std::log(best));
  const torch::Tensor frames = draw("frames");
  // Noise of exactly unit square, so that the sampled loss is the expected one.
  const torch::Tensor noise = draw("noise").sign();
  const CodecLoss loss = codec_loss(network, frames, noise, weight);
  loss.total.backward();
  EXPECT_NEAR(network.log_variance.grad().item<double>(), 0, 1e-16);
  EXPECT_NEAR(loss.reconstruction.item<double>(), best / (slope * slope), 1e-15);
  network.log_variance.data().fill_(std::log(best) + 0.1);
  EXPECT_GT(codec_loss(network, frames, noise, weight).total.item<double>(),
            loss.total.item<double>());
}

TEST(MakePosterior, HoldsLogVariancesAndScales) {
  const torch::Tensor moments = torch::tensor({1.0, 2.0, -100.0, 100.0}).view({1, 4, 1, 1});
  const Posterior posterior = make_posterior(moments, 0.5);
  EXPECT_EQ(posterior.mean[0][1].item<float>(), 1);
  const float shift = 2 * std::log(0.5f);
  EXPECT_FLOAT_EQ(posterior.log_variance[0][0].item<float>(), -30 + shift);
  EXPECT_FLOAT_EQ(posterior.log_variance[0][1].item<float>(), 20 + shift);
}

TEST(CheckFrames, TellsWhatWasExpected) {
  EXPECT_THAT(error_of([] {
                check_frames(torch::zeros({1, 2, 8, 8}), {3, 8, 8});
              }),
              HasSubstr("expected frames (B, 3, 8, 8), found (1, 2, 8, 8)"));
  EXPECT_THAT(error_of([] {
                check_latents(torch::zeros({2, 8, 8}), {2, 8, 8});
              }),
              HasSubstr("expected latents (B, 2, 8, 8), found (2, 8, 8)"));
}

}  // namespace
}  // namespace roundtrip

#include "roundtrip/models/latent_statistics.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/types.h>

#include "roundtrip/nn/init.h"

namespace roundtrip {
namespace {

using ::testing::ElementsAre;

// Three channels: means of spread 2 around 5, of spread 0.1 around 0, of spread 1 around -300;
// posterior variances 0.5, 0.5, 1e-4, each within a factor.
Posterior constructed(int64_t frames) {
  const torch::Tensor unit = keyed_normal({frames, 3, 4, 6}, 1, "mean", 0, torch::kFloat64);
  const auto per_channel = [](std::vector<double> values) {
    return torch::tensor(values, torch::kFloat64).view({1, 3, 1, 1});
  };
  const torch::Tensor wiggle = keyed_normal({frames, 3, 4, 6}, 1, "width", 0, torch::kFloat64);
  return {per_channel({5, 0, -300}) + per_channel({2, 0.1, 1}) * unit,
          per_channel({0.5, 0.5, 1e-4}).log() + 0.1 * wiggle};
}

TEST(LatentStatistics, MatchTheDirectFormulas) {
  const Posterior posterior = constructed(20);
  LatentStatistics statistics(/*prior_std=*/0.5);
  for (const auto& [first, count] : {std::pair{0, 7}, {7, 1}, {8, 12}}) {  // uneven batches
    statistics.add(
        {posterior.mean.narrow(0, first, count), posterior.log_variance.narrow(0, first, count)});
  }
  const std::vector<LatentChannel> channels = statistics.channels();
  ASSERT_EQ(channels.size(), 3);
  for (int64_t f = 0; f < 3; ++f) {
    const torch::Tensor mean = posterior.mean.select(1, f);
    const torch::Tensor variance = posterior.log_variance.select(1, f).exp();
    const torch::Tensor kl =
        0.5 * (mean.square() / 0.25 + variance / 0.25 - 1 - (variance / 0.25).log());
    // Sums of 480 doubles in another order.
    EXPECT_NEAR(channels[f].mean, mean.mean().item<double>(), 1e-11);
    EXPECT_NEAR(channels[f].variance, mean.var(/*unbiased=*/false).item<double>(), 1e-11);
    EXPECT_NEAR(channels[f].posterior_variance, variance.mean().item<double>(), 1e-13);
    EXPECT_NEAR(channels[f].kl, kl.mean().item<double>(), 1e-8);
  }
}

TEST(LatentStatistics, ChannelsThatVaryLessThanTheirPosteriorAreDead) {
  LatentStatistics statistics;
  statistics.add(constructed(20));
  const LatentStandardiser standardiser = standardiser_of(statistics.channels());
  EXPECT_THAT(standardiser.collapsed, ElementsAre(1));
  EXPECT_EQ(standardiser.shift[1], 0);
  EXPECT_EQ(standardiser.scale[1], 1);
  // The others come out with mean 0 and variance 1.
  for (const int64_t f : {0, 2}) {
    const torch::Tensor z =
        (constructed(20).mean.select(1, f) - standardiser.shift[f]) / standardiser.scale[f];
    EXPECT_NEAR(z.mean().item<double>(), 0, 1e-11);
    EXPECT_NEAR(z.var(/*unbiased=*/false).item<double>(), 1, 1e-11);
  }
}

// One variance on each side of the rule: means +-1 vary by exactly 1.
TEST(LatentStatistics, TheRuleTurnsWhereTheVariancesAreEqual) {
  const torch::Tensor mean = torch::tensor({1.0, -1.0}, torch::kFloat64).view({2, 1, 1, 1});
  for (const double variance : {0.999, 1.0, 1.001}) {
    LatentStatistics statistics;
    statistics.add({mean, torch::full_like(mean, variance).log()});
    EXPECT_EQ(standardiser_of(statistics.channels()).collapsed.size(), variance < 1 ? 0 : 1)
        << variance;
  }
}

// Far from zero in float32: the variance must not drown in the square of the mean.
TEST(LatentStatistics, LargeMeansKeepTheirVariance) {
  const torch::Tensor mean = 4096 + keyed_normal({50, 1, 8, 8}, 1, "mean");
  LatentStatistics statistics;
  for (const torch::Tensor& part : mean.split(8)) {
    statistics.add({part, torch::full_like(part, -10)});
  }
  const double direct = mean.to(torch::kFloat64).var(/*unbiased=*/false).item<double>();
  EXPECT_NEAR(statistics.channels()[0].variance, direct, 1e-9);
}

TEST(LatentStatistics, AConstantChannelIsDeadWhateverItsValue) {
  const torch::Tensor mean = torch::full({7, 1, 5, 5}, 0.3f);
  LatentStatistics statistics;
  statistics.add({mean, torch::full_like(mean, kLowestLogVariance)});
  EXPECT_EQ(standardiser_of(statistics.channels()).collapsed.size(), 1);
}

}  // namespace
}  // namespace roundtrip

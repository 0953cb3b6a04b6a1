#include "roundtrip/diffusion/noise_schedule.h"

#include <cmath>
#include <numbers>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/types.h>

#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

// Recorded from improved diffusion's schedule, to the digits given.
TEST(NoiseSchedule, HasTheValuesOfImprovedDiffusion) {
  const NoiseSchedule thousand(1000);
  EXPECT_EQ(thousand.steps(), 1000);
  EXPECT_NEAR(thousand.beta(0), 4.12842e-5, 5e-11);
  EXPECT_EQ(thousand.beta(999), 0.999);
  EXPECT_NEAR(thousand.alpha_bar(0), 0.99995872, 5e-9);
  EXPECT_NEAR(thousand.alpha_bar(499), 0.493844, 5e-7);
  EXPECT_NEAR(thousand.alpha_bar(999), 2.42877e-9, 5e-15);
  const NoiseSchedule two_hundred(200);
  EXPECT_NEAR(two_hundred.beta(0), 2.549726e-4, 5e-11);
  EXPECT_EQ(two_hundred.beta(199), 0.999);
  EXPECT_NEAR(two_hundred.alpha_bar(0), 0.99974503, 5e-9);
  EXPECT_NEAR(two_hundred.alpha_bar(99), 0.493844, 5e-7);
  EXPECT_NEAR(two_hundred.alpha_bar(199), 6.0718e-8, 5e-13);
}

// Below the cap the product telescopes to f((k+1)/K) / f(0); 1e-13 is 1000 roundings of a double.
TEST(NoiseSchedule, FollowsTheCosineUpToTheCap) {
  const NoiseSchedule schedule(1000);
  const auto f = [](double t) {
    return std::pow(std::cos((t + 0.008) / 1.008 * std::numbers::pi / 2), 2);
  };
  for (int64_t k = 0; k < 999; ++k) {
    const double expected = f(static_cast<double>(k + 1) / 1000) / f(0);
    EXPECT_NEAR(schedule.alpha_bar(k) / expected, 1, 1e-12) << k;
    EXPECT_GT(schedule.alpha_bar(k), schedule.alpha_bar(k + 1));
  }
}

TEST(NoiseSchedule, GivesABatchInAShapeThatBroadcasts) {
  const NoiseSchedule schedule(200);
  const torch::Tensor abar = schedule.alpha_bars(torch::tensor({0, 199, 7}, torch::kInt64), 4);
  EXPECT_EQ(abar.sizes(), (std::vector<int64_t>{3, 1, 1, 1}));
  EXPECT_EQ(abar.scalar_type(), torch::kFloat64);
  EXPECT_EQ(abar[1].item<double>(), schedule.alpha_bar(199));
  EXPECT_EQ(abar[2].item<double>(), schedule.alpha_bar(7));
}

TEST(NoiseSchedule, RefusesWhatIsNoSchedule) {
  EXPECT_THAT(error_of([] { NoiseSchedule schedule(0); }),
              testing::HasSubstr("expected at least 1 diffusion step, found 0"));
  EXPECT_THROW(NoiseSchedule(10).alpha_bar(10), Bug);
  EXPECT_THROW(NoiseSchedule(10).beta(-1), Bug);
}

}  // namespace
}  // namespace roundtrip

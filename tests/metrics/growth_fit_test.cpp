#include "roundtrip/metrics/growth_fit.h"

#include <gtest/gtest.h>

#include "metrics/sample.h"
#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

std::vector<double> depths(int count) {
  std::vector<double> values;
  for (int d = 1; d <= count; ++d) values.push_back(d);
  return values;
}

TEST(GrowthFit, FindsAnExactRate) {
  const std::vector<double> depth = {10, 1, 4};  // any order, any depths
  std::vector<double> error;
  for (const double d : depth) error.push_back(0.05 * std::pow(1.21, d - 1));
  const GrowthFit fit = fit_growth(depth, error);
  EXPECT_NEAR(fit.first, 0.05, 1e-15);
  EXPECT_NEAR(fit.ratio, 1.21, 1e-13);
  EXPECT_LT(fit.max_misfit, 1e-13);
}

// tests/reference/statistics.py, by scipy.stats.linregress: the paper's rate within 5 percent
TEST(GrowthFit, AgreesWithScipy) {
  std::vector<double> error;
  for (const double noise : wave(10, 0.5)) {
    error.push_back(0.02 * std::pow(1.21, error.size()) * std::exp(0.03 * noise));
  }
  const GrowthFit fit = fit_growth(depths(10), error);
  EXPECT_NEAR(fit.first, 0.02039562967430001, 1e-14);
  EXPECT_NEAR(fit.ratio, 1.205234372436258, 1e-13);
  EXPECT_NEAR(fit.max_misfit, 0.03575905910457733, 1e-13);
}

TEST(GrowthFit, TwoDepthsAreALine) {
  const GrowthFit fit = fit_growth(depths(2), std::vector<double>{3, 12});
  EXPECT_NEAR(fit.first, 3, 1e-14);
  EXPECT_NEAR(fit.ratio, 4, 1e-14);
}

TEST(GrowthFit, RefusesWhatHasNoLogarithmOrNoLine) {
  EXPECT_EQ(error_of([] {
              fit_growth(depths(2), std::vector<double>{0, 1});
            }),
            "[stats] growth: error: expected finite numbers above 0, found 0 as value 1 of 2");
  EXPECT_NE(error_of([] { fit_growth(depths(1), std::vector<double>{1}); }), "no error");
  EXPECT_NE(error_of([] { fit_growth({}, {}); }), "no error");
  const std::vector<double> same = {3, 3};
  EXPECT_NE(error_of([&] { fit_growth(same, same); }), "no error");
}

}  // namespace
}  // namespace roundtrip

#include "roundtrip/calibration/isotonic.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include "calibration/simulated.h"
#include "roundtrip/calibration/gaussian_likelihood.h"

namespace roundtrip {
namespace {

TEST(Isotonic, PoolsNeighboursOutOfOrder) {
  const Isotonic fit =
      fit_isotonic(std::vector<double>{3, 1, 2, 4}, std::vector<double>{2, 1, 4, 5});
  EXPECT_EQ(fit.x, (std::vector<double>{1, 2, 3, 4}));
  EXPECT_EQ(fit.mean, (std::vector<double>{1, 3, 3, 5}));
  EXPECT_DOUBLE_EQ(fit.sigma, std::sqrt(2.0 / 4));
  EXPECT_DOUBLE_EQ(fit.predict(3.5).mean, 4);
  EXPECT_DOUBLE_EQ(fit.predict(-9).mean, 1);
  EXPECT_DOUBLE_EQ(fit.predict(99).mean, 5);
}

// max over i <= k of min over j >= k of the mean of knots i..j: Barlow et al. 1972.
TEST(Isotonic, IsTheMaximumOfMinima) {
  const RandomStream random(1, "test.isotonic");
  std::vector<double> x, y;
  std::map<double, std::pair<double, double>> knots;  // sum and weight
  for (uint64_t i = 0; i < 120; ++i) {
    x.push_back(std::floor(random.uniform(2 * i, 0, 40)));  // with ties
    y.push_back(0.1 * x.back() + random.normal(2 * i + 1));
    knots[x.back()].first += y.back();
    knots[x.back()].second += 1;
  }
  const Isotonic fit = fit_isotonic(x, y);
  for (auto k = knots.begin(); k != knots.end(); ++k) {
    double greatest = -1e300;
    for (auto i = knots.begin(); i != std::next(k); ++i) {
      double least = 1e300, sum = 0, weight = 0;
      for (auto j = i; j != knots.end(); ++j) {
        sum += j->second.first;
        weight += j->second.second;
        if (j->first >= k->first) least = std::min(least, sum / weight);
      }
      greatest = std::max(greatest, least);
    }
    EXPECT_NEAR(fit.predict(k->first).mean, greatest, 1e-12);
  }
}

TEST(Isotonic, HeldOutScatterIsNotFlattered) {
  const KnownLaw law = {[](double x) { return x; }, [](double) { return 0.5; }};
  const Samples samples = draw_samples(law, 100, 2);
  std::vector<GaussianPrediction> held_out;
  const Isotonic crossed = cross_fit_isotonic(samples, 5, held_out);
  EXPECT_EQ(held_out.size(), 100u);
  EXPECT_GT(crossed.sigma, fit_isotonic(samples.x, samples.y).sigma);
}

TEST(Isotonic, OnePointIsAConstant) {
  const Isotonic fit = fit_isotonic(std::vector<double>{1}, std::vector<double>{2});
  EXPECT_EQ(fit.predict(-3).mean, 2);
  EXPECT_EQ(fit.sigma, kSigmaFloor);
}

}  // namespace
}  // namespace roundtrip

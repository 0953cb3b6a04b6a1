#include "roundtrip/calibration/polynomial_gaussian.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include <gtest/gtest.h>

#include "calibration/simulated.h"
#include "roundtrip/calibration/gaussian_likelihood.h"
#include "roundtrip/metrics/gaussian_scores.h"
#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

const ModelForm kOneInput = {.polynomial = {true}, .products = {}};

TEST(PolynomialGaussian, IsAsGoodAsTheTruthAt5000Points) {
  const KnownLaw law = heteroscedastic_law();
  const Samples fitted = draw_samples(law, 5000, 1), fresh = draw_samples(law, 5000, 2);
  const PolynomialFit fit = fit_polynomial_gaussian(fitted, kOneInput, {3, 2});
  ASSERT_TRUE(fit.converged);
  double ours = 0, truth = 0, inside68 = 0, inside95 = 0;
  for (size_t i = 0; i < fresh.size(); ++i) {
    const double x = fresh.x[i], y = fresh.y[i];
    const GaussianPrediction p = fit.model.predict(fresh.row(i));
    ours += gaussian_nll(y, p.mean, p.sigma) / 5000;
    truth += gaussian_nll(y, law.mean(x), law.sigma(x)) / 5000;
    inside68 += std::abs(y - p.mean) <= p.sigma ? 1 : 0;
    inside95 += std::abs(y - p.mean) <= 2 * p.sigma ? 1 : 0;
  }
  EXPECT_NEAR(ours, truth, 0.01);
  // Four standard errors of a binomial share.
  EXPECT_NEAR(inside68 / 5000, 0.6827, 4 * std::sqrt(0.6827 * 0.3173 / 5000));
  EXPECT_NEAR(inside95 / 5000, 0.9545, 4 * std::sqrt(0.9545 * 0.0455 / 5000));
}

// tests/reference/calibration.py: SciPy's BFGS on the same likelihood.
TEST(PolynomialGaussian, HasTheCoefficientsOfSciPy) {
  Samples samples;
  samples.inputs = 1;
  for (int i = 0; i < 200; ++i) {
    const double x = 3 * std::sin(0.7 * i) + 0.5;
    samples.x.push_back(x);
    samples.y.push_back(0.5 + 0.8 * x - 0.1 * x * x +
                        std::exp(-1 + 0.3 * x) * std::sin(2.3 * i * i));
    samples.trajectory.push_back(i / 10);
  }
  const auto expect = [&](Degrees degrees, const std::vector<double>& golden) {
    const PolynomialGaussian model = fit_polynomial_gaussian(samples, kOneInput, degrees).model;
    std::vector<double> all = model.mean;
    all.insert(all.end(), model.log_sigma.begin(), model.log_sigma.end());
    ASSERT_EQ(all.size(), golden.size());
    // SciPy stops at a slope of 1e-9 of a sum over 200 rows.
    for (size_t i = 0; i < all.size(); ++i) EXPECT_NEAR(all[i], golden[i], 1e-7);
  };
  expect({1, 0}, {0.462363081, 1.514129855, -0.658157132});
  expect({3, 2}, {0.858887969, 1.459042675, -0.395212009, 0.034793864, -1.174611621, 0.603722278,
                  0.012331615});
  expect({5, 3}, {0.824891201, 1.385852658, -0.217879121, 0.286243223, -0.097229366, -0.123149478,
                  -1.171350876, 0.579281436, 0.002595597, 0.009731358});
}

TEST(PolynomialGaussian, ALineIsLeastSquares) {
  const Samples s = draw_samples(heteroscedastic_law(), 300, 3);
  const PolynomialGaussian line = fit_polynomial_gaussian(s, kOneInput, {1, 0}).model;
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (size_t i = 0; i < s.size(); ++i) {
    sx += s.x[i], sy += s.y[i], sxx += s.x[i] * s.x[i], sxy += s.x[i] * s.y[i];
  }
  const double slope = (300 * sxy - sx * sy) / (300 * sxx - sx * sx);
  const double intercept = (sy - slope * sx) / 300;
  for (const double x : {-2.0, 0.0, 1.5}) {
    EXPECT_NEAR(line.predict(std::vector{x}).mean, intercept + slope * x, 1e-8);  // the ridge
  }
}

TEST(PolynomialGaussian, RowOrderDoesNotMatter) {
  const Samples s = draw_samples(heteroscedastic_law(), 2000, 4);
  std::vector<size_t> order(s.size());
  std::iota(order.begin(), order.end(), size_t{0});
  const RandomStream random(5, "test.order");
  std::sort(order.begin(), order.end(),
            [&](size_t a, size_t b) { return random.bits(a) < random.bits(b); });
  Samples shuffled;
  shuffled.inputs = 1;
  for (const size_t i : order) {
    shuffled.x.push_back(s.x[i]);
    shuffled.y.push_back(s.y[i]);
    shuffled.trajectory.push_back(s.trajectory[i]);
  }
  const PolynomialGaussian a = fit_polynomial_gaussian(s, kOneInput, {5, 3}).model;
  const PolynomialGaussian b = fit_polynomial_gaussian(shuffled, kOneInput, {5, 3}).model;
  for (size_t k = 0; k < a.mean.size(); ++k) EXPECT_NEAR(a.mean[k], b.mean[k], 1e-9);
  for (size_t k = 0; k < a.log_sigma.size(); ++k) {
    EXPECT_NEAR(a.log_sigma[k], b.log_sigma[k], 1e-9);
  }
}

TEST(PolynomialGaussian, ClampsToItsSupport) {
  const PolynomialGaussian model =
      fit_polynomial_gaussian(draw_samples(heteroscedastic_law(), 500, 6), kOneInput, {4, 2}).model;
  const auto at = [&](double x) { return model.predict(std::vector{x}); };
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(at(100).mean, at(model.inputs[0].high).mean);
  EXPECT_EQ(at(inf).sigma, at(model.inputs[0].high).sigma);
  EXPECT_EQ(at(-inf).mean, at(model.inputs[0].low).mean);
  EXPECT_EQ(error_of([&] { at(std::nan("")); }), "[calibrator] an input is not a number");
}

// One input over [-1, 1], standardised as it is; a signal.
PolynomialGaussian mean_of(Degrees degrees, std::vector<double> mean) {
  return {.form = {.polynomial = {true}, .products = {}, .level = {true}},
          .degrees = degrees,
          .inputs = {{.centre = 0, .scale = 1, .low = -1, .high = 1}},
          .mean = std::move(mean),
          .log_sigma = {0}};
}

TEST(PolynomialGaussian, KnowsWhetherItsMeanRises) {
  EXPECT_TRUE(mean_of({1, 0}, {0, 1}).rises());
  EXPECT_TRUE(mean_of({1, 0}, {5, 0}).rises());  // a constant does not fall
  EXPECT_FALSE(mean_of({1, 0}, {0, -1}).rises());
  EXPECT_TRUE(mean_of({2, 0}, {0, 1, 0.4}).rises());   // turns at -1.25, outside
  EXPECT_FALSE(mean_of({2, 0}, {0, 1, 0.6}).rises());  // at -0.83
  EXPECT_FALSE(mean_of({2, 0}, {0, -1, 0.4}).rises());
  // Slope 1 + 4 z^3 - 3 z = 1 + T_3(z): 0 at its least, at z = 1/2, between any two points.
  EXPECT_TRUE(mean_of({4, 0}, {0, 1, -1.5, 0, 1}).rises());
  EXPECT_FALSE(mean_of({4, 0}, {0, 1 - 1e-6, -1.5, 0, 1}).rises());
  EXPECT_NEAR(mean_of({4, 0}, {0, 1, -1.5, 0, 1}).least_slope(std::vector{1.0}), 0, 1e-15);
  // Of a baseline nothing is asked.
  PolynomialGaussian baseline = mean_of({1, 0}, {0, -1});
  baseline.form.level = {};
  EXPECT_TRUE(baseline.rises());
}

// mean = 1 + b z0 + c z0 z1 + z1, signal over [-1, 1], depth over [-2, 3] in units of its scale.
PolynomialGaussian with_product(double b, double c) {
  return {.form = {.polynomial = {true, true}, .products = {{0, 1}}, .level = {true, false}},
          .degrees = {1, 0},
          .inputs = {{.centre = 0, .scale = 1, .low = -1, .high = 1},
                     {.centre = 5, .scale = 2, .low = 1, .high = 11}},
          .mean = {1, c, b, 1},
          .log_sigma = {0}};
}

TEST(PolynomialGaussian, RisesAtEveryValueOfTheOtherInputs) {
  EXPECT_TRUE(with_product(1, 0.5).rises());  // slope 1 - 2 * 0.5 at the least depth
  EXPECT_FALSE(with_product(1, 0.51).rises());
  EXPECT_TRUE(with_product(1, -0.333).rises());  // 1 - 3 * 0.333 at the deepest
  EXPECT_FALSE(with_product(1, -0.334).rises());
  EXPECT_DOUBLE_EQ(with_product(1, -0.5).least_slope(std::vector{1.0, 0.0}), -0.5);
  // Along depth: (1 + c z0) / 2, least at z0 = -1 or 1.
  EXPECT_DOUBLE_EQ(with_product(1, -0.5).least_slope(std::vector{0.0, 1.0}), 0.25);
}

TEST(PolynomialGaussian, RisesWhenTheWholeCurveIsLarger) {
  // The signal, scale 1, and its mean so far, scale 2: mean = 0.3 z0 + b z1.
  PolynomialGaussian model = {
      .form = {.polynomial = {true, false}, .products = {}, .level = {true, true}},
      .degrees = {1, 0},
      .inputs = {{.centre = 0, .scale = 1, .low = -1, .high = 1},
                 {.centre = 0, .scale = 2, .low = -1, .high = 1}},
      .mean = {0, -0.5, 0.3},
      .log_sigma = {0, 0}};
  EXPECT_TRUE(model.rises());  // 0.3 - 0.5 / 2
  model.mean = {0, -0.7, 0.3};
  EXPECT_FALSE(model.rises());
  model.mean = {0, 0.7, -0.1};  // the whole curve rises, the signal at this depth falls
  EXPECT_FALSE(model.rises());
  model.inputs[1].low = model.inputs[1].high = 0;  // a mean that never varies has no slope
  model.mean = {0, -0.7, 0.3};
  EXPECT_TRUE(model.rises());
}

TEST(PolynomialGaussian, InputsLeftOutEnterNothing) {
  const ModelForm form = {.polynomial = {true, false, true},
                          .products = {{0, 2}, {1, 2}},
                          .level = {},
                          .left_out = {true, false, false}};
  EXPECT_EQ(mean_terms(form, 2), (std::vector<std::string>{"1", "z1", "z1*z2", "z2", "z2^2"}));
  EXPECT_EQ(log_sigma_terms(form, 1), (std::vector<std::string>{"1", "z1", "z2"}));
}

TEST(PolynomialGaussian, NamesItsTermsInOrderOfDegree) {
  const ModelForm form = {.polynomial = {true, false, true}, .products = {{0, 2}}};
  EXPECT_EQ(mean_terms(form, 2),
            (std::vector<std::string>{"1", "z1", "z0*z2", "z0", "z2", "z0^2", "z2^2"}));
  EXPECT_EQ(log_sigma_terms(form, 0), (std::vector<std::string>{"1", "z1"}));
  EXPECT_EQ(mean_terms({}, 0), std::vector<std::string>{"1"});
}

TEST(PolynomialGaussian, DegenerateRowsGiveFiniteModels) {
  Samples one = {.inputs = 1, .x = {2}, .y = {3}, .trajectory = {0}};
  const PolynomialGaussian single = fit_polynomial_gaussian(one, kOneInput, {1, 0}).model;
  EXPECT_NEAR(single.predict(std::vector{5.0}).mean, 3, 1e-9);
  EXPECT_NEAR(single.predict(std::vector{5.0}).sigma, kSigmaFloor, 1e-9);

  Samples constant = {
      .inputs = 1, .x = {0.1, 0.1, 0.1, 0.1}, .y = {1, 2, 3, 4}, .trajectory = {0, 0, 1, 1}};
  const PolynomialGaussian flat = fit_polynomial_gaussian(constant, kOneInput, {2, 1}).model;
  EXPECT_NEAR(flat.predict(std::vector{0.1}).mean, 2.5, 1e-9);
  EXPECT_NEAR(flat.predict(std::vector{9.0}).sigma, std::sqrt(1.25), 1e-6);
}

}  // namespace
}  // namespace roundtrip

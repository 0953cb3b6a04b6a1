#include "roundtrip/metrics/variance_decomposition.h"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include "roundtrip/base/random.h"
#include "roundtrip/metrics/correlation.h"
#include "metrics/sample.h"
#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

// A grid by a formula of trajectory and depth.
template <class Formula>
CurveGrid grid_of(int64_t trajectories, int64_t depths, Formula formula) {
  CurveGrid grid;
  for (int64_t i = 0; i < trajectories; ++i) grid.trajectories.push_back(i);
  for (int64_t j = 0; j < depths; ++j) grid.depths.push_back(j);
  for (int64_t i = 0; i < trajectories; ++i) {
    for (int64_t j = 0; j < depths; ++j) grid.values.push_back(formula(i, j));
  }
  return grid;
}

CurveGrid example(double phase, double spread) {
  return grid_of(6, 9, [=](int64_t i, int64_t j) {
    const auto k = static_cast<double>(i);
    return 0.2 * wave(9, 0.3 * k + phase)[static_cast<size_t>(j)] + 0.25 * static_cast<double>(j) +
           spread * std::sin(2 * k);
  });
}

// tests/reference/statistics.py: least squares on dummy variables of trajectories and depths
TEST(VarianceDecomposition, AgreesWithLeastSquares) {
  const CurveGrid c = example(0, 0.35), e = example(0.8, 0.25);
  const VarianceDecomposition of_c = decompose_variance(c), of_e = decompose_variance(e);
  EXPECT_NEAR(of_c.between, 0.2574701463769064, 1e-13);
  EXPECT_NEAR(of_c.within, 0.08002457628720179, 1e-13);
  EXPECT_NEAR(of_e.between, 0.1829772026811459, 1e-13);
  EXPECT_NEAR(of_e.within, 0.07987476681785552, 1e-13);
  EXPECT_EQ(of_c.trajectories, 6);
  EXPECT_EQ(of_c.depths, 9);
  const double noise = *noise_correlation(c, e);
  EXPECT_NEAR(noise, 0.6966460317421878, 1e-13);
  EXPECT_NEAR(correlation_ceiling(of_c, of_e), 0.8751853852998873, 1e-13);
  EXPECT_NEAR(correlation_ceiling(of_c, of_e, noise), 0.9579074464865062, 1e-13);
}

// The paper's table: sigma_b, sigma_w, ICC, reliability, each rounded as printed.
TEST(VarianceDecomposition, RederivesThePapersTable) {
  const struct {
    VarianceDecomposition parts;
    double icc, reliability;
  } rows[] = {{{.between = 0.250, .within = 0.074}, 0.92, 0.96},
              {{.between = 0.349, .within = 0.118}, 0.90, 0.95},
              {{.between = 0.104, .within = 0.191}, 0.23, 0.48},
              {{.between = 0.057, .within = 0.220}, 0.06, 0.25}};
  for (const auto& row : rows) {
    EXPECT_NEAR(row.parts.icc(), row.icc, 0.005);
    EXPECT_NEAR(row.parts.reliability(), row.reliability, 0.005);
  }
  const auto& [mhd_e, mhd_c, layer_e, layer_c] = rows;
  EXPECT_NEAR(correlation_ceiling(mhd_c.parts, mhd_e.parts), 0.91, 0.005);
  EXPECT_NEAR(correlation_ceiling(layer_c.parts, layer_e.parts), 0.12, 0.005);
  EXPECT_NEAR(layer_c.parts.mean_reliability(99), 0.932, 0.0005);
  EXPECT_NEAR(recoverable_gain(layer_e.parts, layer_c.parts.mean_reliability(99)), 0.111, 0.0005);
  // The factor as the text gives it: 28 and 11 percent.
  EXPECT_NEAR(std::exp(mhd_e.parts.between), 1.28, 0.005);
  EXPECT_NEAR(std::exp(layer_e.parts.between), 1.11, 0.005);
  // Correlations of 0.98 above a ceiling of 0.91 need noises that co-move by about 0.8.
  EXPECT_NEAR(correlation_ceiling(mhd_c.parts, mhd_e.parts, 0.8), 0.98, 0.005);
}

struct Drawn {
  CurveGrid c, e;
};

// Factors perfectly coupled, noises of correlation r_w, deviations as the paper's MHD.
Drawn draw(int64_t trajectories, int64_t depths, double noise) {
  const RandomStream factor(1, "factor"), shared(1, "shared"), own(1, "own");
  const auto at = [&](int64_t i, int64_t j) { return static_cast<uint64_t>(i * depths + j); };
  const auto value = [&](double sigma_b, double sigma_w, bool is_e) {
    return grid_of(trajectories, depths, [&, is_e](int64_t i, int64_t j) {
      const double common = shared.normal(at(i, j));
      const double w =
          is_e ? noise * common + std::sqrt(1 - noise * noise) * own.normal(at(i, j)) : common;
      return 0.1 * static_cast<double>(j) + sigma_b * factor.normal(static_cast<uint64_t>(i)) +
             sigma_w * w;
    });
  };
  return {value(0.349, 0.118, false), value(0.250, 0.074, true)};
}

TEST(VarianceDecomposition, RecoversWhatWasDrawn) {
  const Drawn drawn = draw(2000, 20, 0.6);
  const VarianceDecomposition c = decompose_variance(drawn.c), e = decompose_variance(drawn.e);
  EXPECT_NEAR(c.between, 0.349, 0.02);  // relative deviation 1 / sqrt(2 n) = 0.016
  EXPECT_NEAR(c.within, 0.118, 0.002);
  EXPECT_NEAR(e.between, 0.250, 0.015);
  EXPECT_NEAR(e.within, 0.074, 0.0015);
  EXPECT_NEAR(*noise_correlation(drawn.c, drawn.e), 0.6, 0.015);
}

// The corrected ceiling is the correlation one measures when the factors are coupled; the classical
// one is too low.
TEST(VarianceDecomposition, CorrectedCeilingIsReached) {
  const Drawn drawn = draw(4000, 12, 0.8);
  const VarianceDecomposition c = decompose_variance(drawn.c), e = decompose_variance(drawn.e);
  double observed = 0;
  for (size_t j = 0; j < 12; ++j) {
    std::vector<double> x, y;
    for (size_t i = 0; i < 4000; ++i) {
      x.push_back(drawn.c.values[i * 12 + j]);
      y.push_back(drawn.e.values[i * 12 + j]);
    }
    observed += *pearson(x, y) / 12;
  }
  const double noise = *noise_correlation(drawn.c, drawn.e);
  EXPECT_NEAR(observed, correlation_ceiling(c, e, noise), 0.003);
  EXPECT_GT(observed, correlation_ceiling(c, e) + 0.05);
  // And back: the coupling of the factors from what was observed.
  const double factors =
      (observed - correlation_ceiling(c, e, noise, /*factors=*/0)) / correlation_ceiling(c, e);
  EXPECT_NEAR(factors, 1, 0.004);
}

TEST(VarianceDecomposition, TrendsOverDepthsAndOrderDoNotMatter) {
  const CurveGrid plain = example(0, 0.35);
  CurveGrid moved = plain;
  for (size_t k = 0; k < moved.values.size(); ++k) {
    moved.values[k] += 5 * std::sin(static_cast<double>(k % 9));
  }
  // Trajectories in reverse.
  CurveGrid reversed = plain;
  for (size_t i = 0; i < 6; ++i) {
    std::copy_n(plain.values.begin() + static_cast<std::ptrdiff_t>(i * 9), 9,
                reversed.values.begin() + static_cast<std::ptrdiff_t>((5 - i) * 9));
  }
  for (const CurveGrid& other : {moved, reversed}) {
    EXPECT_NEAR(decompose_variance(other).between, decompose_variance(plain).between, 1e-13);
    EXPECT_NEAR(decompose_variance(other).within, decompose_variance(plain).within, 1e-13);
  }
}

TEST(VarianceDecomposition, DegenerateGridsHaveAStatedResult) {
  // All trajectories the same: nothing varies.
  const CurveGrid same = grid_of(5, 4, [](int64_t, int64_t j) { return 0.1 * j; });
  const VarianceDecomposition none = decompose_variance(same);
  EXPECT_EQ(none.between, 0);
  EXPECT_EQ(none.within, 0);
  EXPECT_EQ(none.icc(), 0);
  EXPECT_EQ(none.mean_reliability(4), 0);
  EXPECT_EQ(recoverable_gain(none, 1), 0);
  EXPECT_EQ(noise_correlation(same, same), std::nullopt);
  // Curves that differ by a factor alone have no noise, though rounding leaves traces of one.
  const CurveGrid parallel = grid_of(5, 4, [](int64_t i, int64_t j) { return 0.1 * j + 0.3 * i; });
  const VarianceDecomposition pure = decompose_variance(parallel);
  EXPECT_NEAR(pure.between, 0.3 * std::sqrt(2.5), 1e-14);
  EXPECT_EQ(pure.within, 0);
  EXPECT_EQ(pure.icc(), 1);
  EXPECT_EQ(noise_correlation(parallel, parallel), std::nullopt);
  EXPECT_EQ(recoverable_gain(pure, 1), std::numeric_limits<double>::infinity());
  // Noise alone: the estimate of sigma_b^2 would be negative here and is not.
  const CurveGrid noise = grid_of(2, 2, [](int64_t i, int64_t j) { return i == j ? 1.0 : -1.0; });
  EXPECT_EQ(decompose_variance(noise).between, 0);
  EXPECT_GT(decompose_variance(noise).within, 1);
}

TEST(VarianceDecomposition, RefusesWhatCannotBeDecomposed) {
  const auto zero = [](int64_t, int64_t) { return 0.0; };
  EXPECT_EQ(error_of([&] { decompose_variance(grid_of(1, 4, zero)); }),
            "[stats] variance decomposition: expected at least 2 trajectories and 2 depths, found "
            "1 and 4");
  EXPECT_NE(error_of([&] { decompose_variance(grid_of(3, 1, zero)); }), "no error");
  EXPECT_NE(error_of([&] {
              decompose_variance(
                  grid_of(2, 2, [](int64_t, int64_t) { return static_cast<double>(NAN); }));
            }),
            "no error");
  EXPECT_NE(error_of([&] { noise_correlation(grid_of(2, 2, zero), grid_of(2, 3, zero)); }),
            "no error");
}

}  // namespace
}  // namespace roundtrip

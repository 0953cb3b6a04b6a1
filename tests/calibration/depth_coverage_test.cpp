#include "roundtrip/calibration/depth_coverage.h"

#include <cmath>

#include <gtest/gtest.h>

#include "roundtrip/base/random.h"

namespace roundtrip {
namespace {

using Finding = DepthCoverage::Finding;

// `inside` of 100 rows lie within 1.96 sigmas.
void add_depth(HeldOut& rows, int64_t depth, int64_t inside) {
  for (int64_t i = 0; i < 100; ++i) rows.add(i, depth, i < inside ? 1.9 : -2.0, {0, 1});
}

TEST(DepthCoverage, NamesDepthsOutsideBinomialError) {
  HeldOut rows;
  add_depth(rows, 1, 63);
  add_depth(rows, 2, 95);
  // Binomial(100, 0.95): at most 86 with probability 5e-4, at most 87 with 1.5e-3; a tenth of a
  // percent is a depth's part of one percent over ten depths.
  add_depth(rows, 3, 86);
  add_depth(rows, 4, 88);
  for (int64_t depth = 5; depth <= 10; ++depth) add_depth(rows, depth, 96);
  const std::vector<DepthCoverage> found = gaussian_coverage(rows, 0.95);
  ASSERT_EQ(found.size(), 10u);
  EXPECT_EQ(found[0].finding, Finding::too_narrow);
  EXPECT_EQ(found[1].finding, Finding::holds);
  EXPECT_EQ(found[2].finding, Finding::too_narrow);
  EXPECT_EQ(found[3].finding, Finding::holds);
  EXPECT_EQ(found[0].inside, 63);
  EXPECT_EQ(coverage_words(found), "holds too few errors at depths 1 (63 %), 3 (86 %) of 10");
}

TEST(DepthCoverage, NamesBandsThatAreTooWide) {
  HeldOut rows;
  add_depth(rows, 4, 100);  // 0.95^100 is 6e-3
  EXPECT_EQ(coverage_words(gaussian_coverage(rows, 0.95)),
            "holds too many at depths 4 (100 %) of 1");
  add_depth(rows, 8, 100);
  EXPECT_EQ(coverage_words(gaussian_coverage(rows, 0.95)),
            "holds its share of errors at all 2 depths");  // 6e-3 is no surprise in two tries
  EXPECT_EQ(coverage_words({{1, 60, 45, Finding::too_narrow},
                            {2, 60, 57, Finding::holds},
                            {4, 90, 90, Finding::too_wide}}),
            "holds too few errors at depths 1 (75 %), too many at depths 4 (100 %) of 3");
}

// log E is N(0, 1) at depth 1 and 4 times as wide at depth 2; the calibrator says N(0, 1), the
// conformal quantile at depth 2 is right.
TEST(DepthCoverage, ThePrintedBandIsTheConformalOne) {
  Calibrator calibrator;
  calibrator.key = {"E", "none", "alone"};
  calibrator.model = PolynomialGaussian{
      .form = {}, .degrees = {0, 0}, .inputs = {}, .mean = {0}, .log_sigma = {0}};
  calibrator.conformal = {
      .levels = {0.95},
      .groups = {{.depths = {1}, .trajectories = 99, .two_sided = {1.96}, .upper = {1.645}},
                 {.depths = {2}, .trajectories = 99, .two_sided = {7.84}, .upper = {6.58}}},
      .all = {}};
  std::vector<Curve> curves;
  for (uint64_t t = 0; t < 200; ++t) {
    const RandomStream random(8, "test.coverage", t);
    Curve curve;
    curve.add(1, {{"E", std::exp(random.normal(0))}});
    curve.add(2, {{"E", std::exp(4 * random.normal(1))}});
    curves.push_back(curve);
  }
  EXPECT_EQ(coverage_words(printed_coverage(calibrator, curves, 0.95)),
            "holds its share of errors at all 2 depths");
  const auto gaussian = gaussian_coverage(predict_curves(calibrator, curves), 0.95);
  EXPECT_EQ(gaussian[0].finding, Finding::holds);
  EXPECT_EQ(gaussian[1].finding, Finding::too_narrow);
  // Rollouts that diverged are outside.
  for (size_t c = 0; c < 40; ++c) curves[c].columns["E"][0] = std::nan("");
  EXPECT_EQ(printed_coverage(calibrator, curves, 0.95)[0].finding, Finding::too_narrow);
}

}  // namespace
}  // namespace roundtrip

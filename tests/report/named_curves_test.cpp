#include "roundtrip/report/named_curves.h"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "roundtrip/base/error.h"

namespace roundtrip {
namespace {

TEST(NamedCurves, CalibrationKeepsItsPoints) {
  const std::vector<double> z = {0.1, -0.5, 1.2, -2};
  const CalibrationCurve curve = calibration_curve(z);
  const NamedCurve named = to_named_curve("C", curve);
  EXPECT_EQ(named.label, "C");
  EXPECT_EQ(named.x, curve.nominal);
  EXPECT_EQ(named.y, curve.observed);
  EXPECT_EQ(named.note.substr(0, 3), "MA ");
}

TEST(NamedCurves, RiskIsThinnedWithBothEnds) {
  std::vector<double> error(1000);
  std::iota(error.begin(), error.end(), 1.0);
  const RiskCoverage risk = risk_coverage(error, error);
  const NamedCurve named = to_named_curve("oracle", risk, 50);
  ASSERT_EQ(named.x.size(), 50u);
  EXPECT_DOUBLE_EQ(named.x.front(), 0.001);
  EXPECT_DOUBLE_EQ(named.y.front(), 1);
  EXPECT_DOUBLE_EQ(named.x.back(), 1);
  EXPECT_DOUBLE_EQ(named.y.back(), 500.5);
  // The oracle's mean of the k smallest of 1..n is (k + 1) / 2.
  for (size_t i = 0; i < 50; ++i) EXPECT_NEAR(named.y[i], (named.x[i] * 1000 + 1) / 2, 1e-9);
}

TEST(NamedCurves, OneRowIsAFlatLine) {
  const std::vector<double> one = {3};
  const NamedCurve named = to_named_curve("one", risk_coverage(one, one));
  EXPECT_EQ(named.x, (std::vector<double>{1, 1}));
  EXPECT_EQ(named.y, (std::vector<double>{3, 3}));
}

TEST(NamedCurves, HistogramCountsEveryFiniteValue) {
  const std::vector<double> values = {0, 0.9, 1, 4, NAN, INFINITY};
  const Histogram histogram = to_histogram("h", values, 4);
  EXPECT_EQ(histogram.edges, (std::vector<double>{0, 1, 2, 3, 4}));
  EXPECT_EQ(histogram.counts, (std::vector<int64_t>{2, 1, 0, 1}));
  const Histogram same = to_histogram("same", std::vector<double>{5, 5}, 3);
  EXPECT_EQ(same.counts, (std::vector<int64_t>{0, 2, 0}));
  EXPECT_THROW(to_histogram("none", std::vector<double>{NAN}), Error);
}

// What these make passes the checks of a report.
TEST(NamedCurves, AreGoodRecords) {
  const std::vector<double> z = {0.1, -0.5, 1.2, -2};
  Report report{.title = "t"};
  report.sections = {
      CalibrationSection{.curves = {to_named_curve("C", calibration_curve(z))}},
      RiskCoverageSection{.curves = {to_named_curve("C", risk_coverage(z, {{1, 2, 3, 4}}))}},
      HistogramSection{.histograms = {to_histogram("h", z)}}};
  EXPECT_NO_THROW(check(report, "f"));
}

}  // namespace
}  // namespace roundtrip

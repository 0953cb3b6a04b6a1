#include "roundtrip/metrics/auroc.h"

#include <gtest/gtest.h>

#include "metrics/sample.h"
#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

std::vector<double> positives() {
  std::vector<double> values = wave(30, 0.1);
  for (double& value : values) value += 0.5;
  return values;
}

// tests/reference/statistics.py, by scikit-learn and SciPy
TEST(Auroc, AgreesWithScikitLearn) {
  EXPECT_NEAR(*auroc(positives(), wave(50, 0.6)), 0.7126666666666667, 1e-14);
  EXPECT_NEAR(*auroc(coarse(positives()), coarse(wave(50, 0.6))), 0.7036666666666667, 1e-14);
  EXPECT_NEAR(*auroc(std::vector<double>{0.25}, coarse(wave(50, 0.6))), 0.55, 1e-14);
  EXPECT_NEAR(*auroc_of_high_errors(wave(80, 0.7), exponentials(wave(80, 0.4))), 0.94921875, 1e-14);
}

TEST(Auroc, CountsPairs) {
  const std::vector<double> high = {2, 3}, low = {1, 2};
  EXPECT_DOUBLE_EQ(*auroc(high, low), 3.5 / 4);  // one tie of four pairs
  EXPECT_DOUBLE_EQ(*auroc(low, high), 0.5 / 4);
  EXPECT_DOUBLE_EQ(*auroc(high, high), 0.5);
}

TEST(Auroc, OneAgainstFiftyMovesInStepsOfAFiftieth) {
  std::vector<double> others;
  for (int k = 0; k < 50; ++k) others.push_back(k);
  EXPECT_DOUBLE_EQ(*auroc(std::vector<double>{31.5}, others), 32 * 0.02);
  EXPECT_DOUBLE_EQ(*auroc(std::vector<double>{100}, others), 1);
  EXPECT_DOUBLE_EQ(*auroc(std::vector<double>{-1}, others), 0);
  EXPECT_DOUBLE_EQ(*auroc(std::vector<double>{0}, others), 0.01);  // a tie
}

TEST(Auroc, SeesOnlyTheOrder) {
  const auto a = positives(), b = wave(50, 0.6);
  EXPECT_DOUBLE_EQ(*auroc(exponentials(a), exponentials(b)), *auroc(a, b));
  EXPECT_NEAR(*auroc(b, a), 1 - *auroc(a, b), 1e-14);
  const std::vector<double> infinite = {std::numeric_limits<double>::infinity()};
  EXPECT_EQ(*auroc(infinite, b), 1);
}

TEST(Auroc, SaysWhatIsUndefined) {
  EXPECT_EQ(auroc({}, wave(3, 0)), std::nullopt);
  EXPECT_EQ(auroc(wave(3, 0), {}), std::nullopt);
  EXPECT_EQ(auroc_of_high_errors(wave(5, 0), std::vector<double>(5, 1)), std::nullopt);
  EXPECT_NE(error_of([] { auroc(std::vector<double>{NAN}, wave(3, 0)); }), "no error");
}

TEST(AurocOfErrorsAbove, TakesTheThresholdAsGiven) {
  const std::vector<double> score = {1, 2, 3, 4}, error = {5, 1, 6, 7};
  // Above 4.5: scores 1, 3, 4; below: 2. Two of three are higher.
  EXPECT_DOUBLE_EQ(auroc_of_errors_above(score, error, 4.5).value(), 2.0 / 3);
  EXPECT_FALSE(auroc_of_errors_above(score, error, 10).has_value());
}

}  // namespace
}  // namespace roundtrip

#include "roundtrip/metrics/field_errors.h"

#include <limits>

#include <gtest/gtest.h>

#include "roundtrip/base/random.h"
#include "metrics/sample.h"
#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();

std::vector<double> field(double phase) {
  std::vector<double> values = wave(64, phase);
  for (double& value : values) value += 3;
  return values;
}

std::vector<float> to_float(const std::vector<double>& values) {
  return {values.begin(), values.end()};
}

// tests/reference/statistics.py, by NumPy and scikit-learn
TEST(FieldErrors, AgreeWithNumpy) {
  const auto truth = field(0.1), predicted = field(0.35);
  EXPECT_NEAR(vrmse(predicted, truth), 0.2412584146328608, 1e-14);
  EXPECT_NEAR(*relative_l2(predicted, truth), 0.05749745660828795, 1e-15);
  EXPECT_NEAR(mean_absolute_error(predicted, truth), 0.1604296536397818, 1e-14);
  const auto truth32 = to_float(truth), predicted32 = to_float(predicted);
  EXPECT_NEAR(vrmse(predicted32, truth32), 0.2412584146328608, 1e-6);
  EXPECT_NEAR(*relative_l2(predicted32, truth32), 0.05749745660828795, 1e-6);
  EXPECT_NEAR(mean_absolute_error(predicted32, truth32), 0.1604296536397818, 1e-6);
}

TEST(FieldErrors, VrmseOfTheMeanIsOneAndOfAnotherDrawRootTwo) {
  std::vector<double> truth(20000), other(20000);
  RandomStream(3, "field_errors_test", 0).fill_normal(truth);
  RandomStream(3, "field_errors_test", 1).fill_normal(other);
  double mean = 0;
  for (const double value : truth) mean += value / 20000;
  EXPECT_NEAR(vrmse(std::vector<double>(20000, mean), truth), 1, 1e-4);  // n - 1, and 1e-7
  EXPECT_NEAR(vrmse(other, truth), std::sqrt(2), 0.03);
  EXPECT_EQ(vrmse(truth, truth), 0);
}

TEST(FieldErrors, AConstantTruthLeavesTheEpsilon) {
  const std::vector<double> truth(4, 2.0), predicted(4, 2.001);
  EXPECT_NEAR(vrmse(predicted, truth), std::sqrt(1e-6 / 1e-7), 1e-9);
}

TEST(FieldErrors, ScaleOfBothLeavesRelativeErrorsAlone) {
  auto truth = field(0.1), predicted = field(0.35);
  const double before = *relative_l2(predicted, truth);
  for (auto* values : {&truth, &predicted}) {
    for (double& value : *values) value *= -250;
  }
  EXPECT_NEAR(*relative_l2(predicted, truth), before, 1e-15);
}

TEST(FieldErrors, RelativeErrorsAverageOverTrajectories) {
  // Errors of 10 and 30 percent, whatever the size of the fields.
  const std::vector<double> truth = {3, 4, 300, 400}, predicted = {3.3, 4.4, 210, 280};
  EXPECT_NEAR(*mean_relative_l2(predicted, truth, 2), 0.2, 1e-14);
  EXPECT_NEAR(*mean_relative_l2(to_float(predicted), to_float(truth), 2), 0.2, 1e-6);
  EXPECT_EQ(mean_relative_l2(predicted, std::vector<double>{0, 0, 1, 1}, 2), std::nullopt);
}

TEST(FieldErrors, WindowsAreSlicesOrNothing) {
  std::vector<double> per_step;
  for (int step = 0; step < 30; ++step) per_step.push_back(step);
  EXPECT_DOUBLE_EQ(*window_mean(per_step, kWellWindows[0]), 8.5);  // 6 7 8 9 10 11
  EXPECT_DOUBLE_EQ(*window_mean(per_step, kWellWindows[1]), 21);   // 13 to 29
  per_step.pop_back();
  EXPECT_EQ(window_mean(per_step, kWellWindows[1]), std::nullopt);
  EXPECT_TRUE(window_mean(per_step, kWellWindows[0]).has_value());
}

TEST(FieldErrors, BlownUpPredictionsAreInfinitelyWrong) {
  const std::vector<double> truth = {1, 2, 3};
  for (const double broken : {kUnbounded, -kUnbounded, static_cast<double>(NAN)}) {
    const std::vector<double> predicted = {1, broken, 3};
    EXPECT_EQ(vrmse(predicted, truth), kUnbounded);
    EXPECT_EQ(*relative_l2(predicted, truth), kUnbounded);
    EXPECT_EQ(mean_absolute_error(predicted, truth), kUnbounded);
    EXPECT_NE(error_of([&] { vrmse(truth, predicted); }), "no error");
    EXPECT_NE(error_of([&] { relative_l2(truth, predicted); }), "no error");
  }
}

TEST(FieldErrors, DegenerateTruthsHaveAStatedResult) {
  const std::vector<double> zeros(3, 0.0), one(1, 1.0), none;
  EXPECT_EQ(relative_l2(zeros, zeros), std::nullopt);
  const std::vector<double> huge = {1e200, -1e200};  // its variance is no double
  EXPECT_NE(error_of([&] { vrmse(huge, huge); }), "no error");
  EXPECT_NE(error_of([&] { vrmse(one, one); }), "no error");
  EXPECT_NE(error_of([&] { mean_absolute_error(none, none); }), "no error");
}

}  // namespace
}  // namespace roundtrip

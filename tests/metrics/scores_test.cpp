#include "roundtrip/metrics/scores.h"

#include <gtest/gtest.h>

#include "metrics/sample.h"
#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

TEST(Scores, HoldBothKinds) {
  const SamplePredictions sample(500);
  const Scores scores = score(sample);
  EXPECT_EQ(scores.gaussian.nll, gaussian_scores(sample).nll);
  EXPECT_EQ(scores.calibration.ma, calibration_curve(sample).errors.ma);
}

// tests/reference/statistics.py, "ma of rows g mod 3"
TEST(Scores, ByGroup) {
  const SamplePredictions sample(500);
  std::vector<int64_t> labels;
  for (int64_t i = 0; i < 500; ++i) labels.push_back(i % 3);
  const auto groups = score_by_group(sample, labels);
  ASSERT_EQ(groups.size(), 3u);
  EXPECT_NEAR(groups[0].scores.calibration.ma, 0.1136786488717353, 1e-13);
  EXPECT_NEAR(groups[1].scores.calibration.ma, 0.1095127036479632, 1e-13);
  EXPECT_NEAR(groups[2].scores.calibration.ma, 0.1094527363184076, 1e-13);
  double nll = 0;
  for (const GroupScores& group : groups) {
    nll += group.scores.gaussian.nll * static_cast<double>(group.scores.gaussian.n) / 500;
  }
  EXPECT_NEAR(nll, score(sample).gaussian.nll, 1e-13);
}

TEST(Scores, OneRowHasScores) {
  const std::vector<double> y = {1}, mean = {1}, sigma = {2};
  const auto groups = score_by_group({y, mean, sigma}, std::vector<int64_t>{4});
  EXPECT_EQ(groups[0].label, 4);
  EXPECT_EQ(groups[0].scores.gaussian.rmse, 0);
  EXPECT_EQ(groups[0].scores.gaussian.x95, 1);
  EXPECT_NEAR(groups[0].scores.calibration.ma, 0.5, 1e-15);
  EXPECT_NE(error_of([] { score({}); }), "no error");
}

}  // namespace
}  // namespace roundtrip

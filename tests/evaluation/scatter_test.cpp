#include "roundtrip/evaluation/scatter.h"

#include <cmath>

#include <gtest/gtest.h>

#include "evaluation/synthetic.h"

namespace roundtrip {
namespace {

TEST(Scatter, HoldsEveryTestRolloutWithItsPrediction) {
  const Measurements measured = synthetic_measurements(following_rule, 13);
  const auto sections = evaluate_scatter(measured);
  check_sections(sections);
  ASSERT_EQ(sections.size(), 1u);
  const auto& section = std::get<CurvesSection>(sections[0]);
  ASSERT_EQ(section.trajectories.size(), 13u);
  const TrajectoryCurve& last = section.trajectories.back();
  EXPECT_EQ(last.label, "test 12");
  EXPECT_EQ(last.e, measured.test.curves[12].column("E"));
  EXPECT_EQ(last.field_errors.at("density"), measured.test.curves[12].column("E_density"));
  const auto expected =
      measured.calibrators.find({"E", "C", "depth"}).predict(measured.test.curves[12], 3);
  EXPECT_EQ(last.log_mean[3], expected.mean);
  EXPECT_EQ(last.log_sigma[3], expected.sigma);
  const auto of_field =
      measured.calibrators.find({"E_density", "C", "depth"}).predict(measured.test.curves[12], 3);
  EXPECT_EQ(last.field_bands.at("density").log_mean[3], of_field.mean);
  EXPECT_EQ(last.field_bands.at("density").log_sigma[3], of_field.sigma);
}

TEST(Scatter, TheMirrorHasTheSameLabels) {
  Measurements measured;
  measured.test = synthetic_table("test", 2, 3, [](int64_t t, int64_t d) {
    return SyntheticRow{{"C", 1}, {"E", 2}, {"C_back", 3}, {"E_back", static_cast<double>(t + d)}};
  });
  const auto sections = evaluate_scatter(measured);
  check_sections(sections);
  ASSERT_EQ(sections.size(), 2u);
  const TrajectoryCurve& mirrored = std::get<CurvesSection>(sections[1]).trajectories[1];
  EXPECT_EQ(mirrored.label, "test 1");
  EXPECT_EQ(mirrored.c, (std::vector<double>{3, 3, 3}));
  EXPECT_EQ(mirrored.e, (std::vector<double>{2, 3, 4}));
  EXPECT_TRUE(mirrored.log_mean.empty());
}

TEST(Scatter, ARolloutThatDivergesEndsThere) {
  Measurements measured;
  measured.test = synthetic_table("test", 2, 4, [](int64_t t, int64_t d) {
    return SyntheticRow{{"C", 1}, {"E", d + t >= 4 ? INFINITY : 1}};
  });
  const auto sections = evaluate_scatter(measured);
  check_sections(sections);
  EXPECT_EQ(std::get<CurvesSection>(sections[0]).trajectories[1].depth,
            (std::vector<int64_t>{1, 2}));
}

}  // namespace
}  // namespace roundtrip

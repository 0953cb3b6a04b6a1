#include "roundtrip/evaluation/risk_coverage.h"

#include <gtest/gtest.h>

#include "evaluation/synthetic.h"

namespace roundtrip {
namespace {

// E is a number from 1 to 10, two trajectories each, the same at every depth; C is E. The baseline
// knows whether it is odd.
SyntheticRule ten_numbers(uint64_t) {
  return [](int64_t t, int64_t) {
    const int64_t e = t / 2 % 10 + 1;
    return SyntheticRow{{"E", static_cast<double>(e)},
                        {"C", static_cast<double>(e)},
                        {"seed_step", 1.0 + static_cast<double>(e % 2)}};
  };
}

TEST(RiskCoverageTable, DefersWhatCSaysIsWorst) {
  const auto sections =
      beside_paper(evaluate_risk_coverage, synthetic_measurements(ten_numbers, 20, 4));
  check_sections(sections);
  const TableSection& pooled = table_called(sections, "Selective prediction over all depths");
  // 5.5 is the mean of all, 5 without the ten, 4.5 without the nine too, then 4.
  for (const char* row : {"C", "C, depth", "oracle"}) {
    EXPECT_NEAR(ours_at(pooled, row, "90 % kept"), 1 - 5 / 5.5, 1e-9) << row;
    EXPECT_NEAR(ours_at(pooled, row, "80 % kept"), 1 - 4.5 / 5.5, 1e-9) << row;
    EXPECT_NEAR(ours_at(pooled, row, "70 % kept"), 1 - 4 / 5.5, 1e-9) << row;
  }
  EXPECT_NEAR(ours_at(pooled, "depth", "80 % kept"), 0, 1e-9);
  EXPECT_EQ(cell_at(pooled, "C", "80 % kept").paper, .15);
  EXPECT_EQ(cell_at(pooled, "depth", "70 % kept").paper, .09);
}

TEST(RiskCoverageTable, AtAFixedDepthIsAShareOfTheOracles) {
  const auto sections =
      beside_paper(evaluate_risk_coverage, synthetic_measurements(ten_numbers, 20, 4));
  const TableSection& fixed = table_called(sections, "Selective prediction at a fixed depth");
  EXPECT_NEAR(ours_at(fixed, "C, depth", "90 % kept"), 1 - 5 / 5.5, 1e-9);
  EXPECT_NEAR(ours_at(fixed, "C, depth", "share at 70 %"), 1, 1e-9);
  EXPECT_NEAR(ours_at(fixed, "oracle", "share at 90 %"), 1, 1e-9);
  // The ten odd ones, of mean 5, are kept, and six of the even ones, of mean 6: an eighth of 2/11.
  EXPECT_NEAR(ours_at(fixed, "best baseline: seed_step, depth", "share at 80 %"), 0.125, 1e-9);
  const auto& curves = std::get<RiskCoverageSection>(sections[0]).curves;
  EXPECT_EQ(curves.size(), 5u);
  EXPECT_NEAR(curves[0].y.back(), 5.5, 1e-9);
}

}  // namespace
}  // namespace roundtrip

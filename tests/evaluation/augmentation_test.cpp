#include "roundtrip/evaluation/augmentation.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "evaluation/synthetic.h"
#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

// E is the trajectory's factor at every depth; C reads it through noise that means over depths
// take away.
SyntheticRule noisy_rule(uint64_t stream) {
  return [stream](int64_t t, int64_t d) {
    const RandomStream noise(stream, "test.noise", static_cast<uint64_t>(1000 * t + d));
    const double factor = normal_factor(t) + 0.05 * noise.normal(0);
    return SyntheticRow{{"E", std::exp(factor)}, {"C", std::exp(factor + 0.5 * noise.normal(1))}};
  };
}

constexpr const char* kMeanRow = "C, mean of the rollout, depth (post hoc)";

TEST(Augmentation, MeansOverDepthsTakeNoiseAway) {
  const Measurements measured = synthetic_measurements(noisy_rule, 40, /*depths=*/8);
  const auto sections = beside_paper(evaluate_augmentation, measured);
  check_sections(sections);
  const TableSection& gains = table_called(sections, "What C gains from its own past");
  // Residual deviation: 0.45 from one reading, 0.17 from eight.
  EXPECT_NEAR(ours_at(gains, kMeanRow, "gain"), std::log(0.45 / 0.17), 0.35);
  EXPECT_GT(cell_at(gains, "C, mean so far, depth", "gain").interval->low, 0);
  EXPECT_LT(ours_at(gains, "C, mean so far, depth", "gain"), ours_at(gains, kMeanRow, "gain"));
  EXPECT_NEAR(ours_at(gains, "... and early level, slope (post hoc)", "gain"), 0, 0.3);
  EXPECT_EQ(cell_at(gains, kMeanRow, "gain").paper, .26);
  const TableSection& areas = table_called(sections, "Miscalibration area by depth");
  EXPECT_EQ(areas.rows.size(), 8u);
  EXPECT_EQ(areas.columns.size(), 4u);
  EXPECT_LT(ours_at(areas, "5", "C"), 0.2);
}

TEST(Augmentation, NeedsACalibratorOfC) {
  Measurements measured = synthetic_measurements(exact_rule, 3);
  measured.calibrators.calibrators.clear();
  EXPECT_THAT(error_of([&] { evaluate_augmentation(measured); }),
              testing::HasSubstr("E from C (alone)"));
}

}  // namespace
}  // namespace roundtrip

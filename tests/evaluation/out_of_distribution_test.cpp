#include "roundtrip/evaluation/out_of_distribution.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "evaluation/synthetic.h"
#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

SyntheticRule scaled_rule(uint64_t stream, double scale) {
  return [scale, rule = following_rule(stream)](int64_t t, int64_t d) {
    SyntheticRow row = rule(t, d);
    for (const char* column : {"C", "E"}) row[column] *= scale;
    return row;
  };
}

Measurements ood_measurements() {
  Measurements measured = synthetic_measurements(following_rule, 20);
  measured.scenarios["orszag_tang"] = synthetic_table("test", 1, 5, scaled_rule(5, 1000));
  measured.scenarios["alike"] = synthetic_table("test", 20, 5, following_rule(2));
  return measured;
}

TEST(OutOfDistribution, AScenarioFarAboveStandsOutAndTheTestItselfDoesNot) {
  const auto sections = beside_paper(evaluate_out_of_distribution, ood_measurements());
  check_sections(sections);
  const TableSection& vortex = table_called(sections, "Out of distribution: orszag_tang");
  EXPECT_EQ(ours_at(vortex, "5", "C"), 1);
  EXPECT_EQ(cell_at(vortex, "5", "C").paper, 1);
  EXPECT_EQ(ours_at(vortex, "1", "E"), 1);
  EXPECT_EQ(cell_at(vortex, "mean over depths", "C").paper, .98);
  const TableSection& alike = table_called(sections, "Out of distribution: alike");
  EXPECT_DOUBLE_EQ(ours_at(alike, "3", "C"), 0.5);
  EXPECT_DOUBLE_EQ(ours_at(alike, "mean over depths", "spread over initial noises"), 0.5);
  EXPECT_EQ(
      ours_at(table_called(sections, "The alarm over whole rollouts"), "orszag_tang", "rings on C"),
      1);
  EXPECT_GT(ours_at(table_called(sections, "Telling high errors: all kinds"), "2", "C"), 0.9);
}

TEST(OutOfDistribution, SingleRolloutsAreMarked) {
  const Measurements measured = ood_measurements();
  const auto sections = beside_paper(evaluate_out_of_distribution, measured);
  const auto& section = std::get<HistogramSection>(sections.back());
  ASSERT_EQ(section.histograms.size(), 2u);  // depths 1 and 5
  const Histogram& last = section.histograms[1];
  EXPECT_EQ(last.depth, 5);
  ASSERT_EQ(last.marks.size(), 1u);
  EXPECT_EQ(last.marks[0].label, "orszag_tang");
  const double c = measured.scenarios.at("orszag_tang").curves[0].column("C")[4];
  EXPECT_DOUBLE_EQ(last.marks[0].value, std::log(c));
}

TEST(OutOfDistribution, NeedsAScenario) {
  Measurements measured = ood_measurements();
  measured.scenarios.clear();
  EXPECT_THAT(error_of([&] { evaluate_out_of_distribution(measured); }),
              testing::HasSubstr("ood-<name>.csv"));
}

}  // namespace
}  // namespace roundtrip

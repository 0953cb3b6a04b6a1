#include "roundtrip/evaluation/noise_seeds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "evaluation/synthetic.h"
#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

TEST(NoiseSeeds, ShowsEachOnTheSameTrajectories) {
  Measurements measured = synthetic_measurements(following_rule, 40, 5);
  measured.noises["2"] = synthetic_table("test", 30, 5, following_rule(6));
  // Measured deeper than the others: those depths are compared with nothing.
  measured.noises["1"] = synthetic_table("test", 20, 7, following_rule(2));
  const auto sections = evaluate_noise_seeds(measured);
  check_sections(sections);
  const TableSection& table = table_called(sections, "Other initial noise");
  ASSERT_EQ(table.rows.size(), 3U);
  EXPECT_THAT(table.text, testing::HasSubstr("first 20 test trajectories at 5 depths"));
  // Seed 1 has the numbers of the test table itself; seed 2 the same law, other noise.
  for (const char* column : {"Spearman at 5", "NLL, C, depth", "x68", "in 2 sigma"}) {
    EXPECT_EQ(ours_at(table, "own", column), ours_at(table, "+1", column)) << column;
  }
  EXPECT_NE(ours_at(table, "own", "NLL, C, depth"), ours_at(table, "+2", "NLL, C, depth"));
}

TEST(NoiseSeeds, ComparesLikeWithLike) {
  Measurements measured = synthetic_measurements(following_rule, 4, 2);
  measured.noises["1"] = synthetic_table("test", 4, 2, following_rule(2));
  measured.noises["1"].curves[2].trajectory = 7;
  EXPECT_THAT(error_of([&] { evaluate_noise_seeds(measured); }),
              testing::HasSubstr("found 7 instead of 2"));
}

TEST(NoiseSeeds, NeedsTables) {
  EXPECT_THAT(error_of([] { evaluate_noise_seeds(synthetic_measurements(following_rule, 4, 2)); }),
              testing::HasSubstr("noise-1.csv"));
}

}  // namespace
}  // namespace roundtrip

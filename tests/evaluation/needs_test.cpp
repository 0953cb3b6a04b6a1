#include "roundtrip/evaluation/needs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "evaluation/synthetic.h"
#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(Needs, SayWhatIsMissingAndHowToGetIt) {
  const CurveTable table = synthetic_table("test", 1, 2, [](int64_t, int64_t) {
    return SyntheticRow{{"C", 0}, {"E", 1}};
  });
  EXPECT_THAT(error_of([&] {
                need_columns(table, "growth", {"C", "fbf"});
              }),
              AllOf(HasSubstr("growth: expected column fbf"), HasSubstr("found C, E")));
  EXPECT_THAT(error_of([&] { need_depths(table, "growth", {"C"}); }), HasSubstr("--depths"));
  EXPECT_EQ(need_depths(table, "growth", {"E"}), (std::vector<int64_t>{1, 2}));
  Measurements measured;
  measured.test = table;
  EXPECT_THAT(error_of([&] {
                need_fit(measured, "growth", {"E", "C", "alone"});
              }),
              HasSubstr("E from C (alone)"));
}

TEST(Needs, WhatIsLeftOutIsSaid) {
  const CurveTable table = synthetic_table("test", 1, 3, [](int64_t, int64_t) {
    return SyntheticRow{{"E", 1}};
  });
  EXPECT_TRUE(left_out_note(table, {1, 2, 3}).empty());
  EXPECT_THAT(left_out_note(table, {2}).at(0), HasSubstr("Depths 1, 3 "));
}

}  // namespace
}  // namespace roundtrip

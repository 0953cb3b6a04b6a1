#include "roundtrip/calibration/curves.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

CurveTable curves_of_text(const std::string& text) { return curves_from(parse_csv(text, "t.csv")); }

TEST(Curves, SortsBySplitTrajectoryAndDepth) {
  const CurveTable table = curves_of_text(
      "depth,C,split,trajectory\n2,0.2,test,10\n1,0.1,test,10\n1,0.3,test,9\n1,0.4,calibration,"
      "7\n");
  EXPECT_EQ(table.columns, std::vector<std::string>{"C"});
  EXPECT_EQ(table.rows(), 4);
  EXPECT_EQ(table.splits(), (std::vector<std::string>{"calibration", "test"}));
  const CurveTable test = table.split("test");
  ASSERT_EQ(test.curves.size(), 2u);
  EXPECT_EQ(test.curves[0].trajectory, 9);
  EXPECT_EQ(test.curves[1].depths, (std::vector<int64_t>{1, 2}));
  EXPECT_EQ(test.curves[1].column("C"), (std::vector<double>{0.1, 0.2}));
}

TEST(Curves, KeepsWhatADivergedRolloutLeaves) {
  const CurveTable table = curves_of_text("split,trajectory,depth,E\na,0,1,inf\na,0,2,nan\n");
  EXPECT_TRUE(std::isinf(table.curves[0].column("E")[0]));
  EXPECT_TRUE(std::isnan(table.curves[0].column("E")[1]));
}

// n = 2: at depth 1 one of two seed frames is regenerated.
TEST(Curves, ATableOfVersion01GetsTodaysNames) {
  const CurveTable table = curves_of_text(
      "split,trajectory,depth,C,C_over_n,C_leakfree,E,C_back\n"
      "a,0,1,0.4,0.2,0.5,1,0.6\na,0,2,0.3,0.3,0.3,2,0.8\n"
      "a,1,1,0,0,0,1,0.2\na,1,2,nan,nan,nan,2,inf\n");
  EXPECT_EQ(table.columns,
            (std::vector<std::string>{"C_regenerated", "C", "C_leakfree", "E", "C_back"}));
  const Curve& first = table.curves[0];
  EXPECT_EQ(first.column("C"), (std::vector<double>{0.2, 0.3}));
  EXPECT_EQ(first.column("C_regenerated"), (std::vector<double>{0.4, 0.3}));
  EXPECT_EQ(first.column("C_leakfree"), (std::vector<double>{0.5, 0.3}));
  EXPECT_EQ(first.column("C_back"), (std::vector<double>{0.3, 0.8}));
  // The share is the depth's, also where this row's own C does not show it.
  EXPECT_EQ(table.curves[1].column("C_back")[0], 0.1);
  EXPECT_TRUE(std::isinf(table.curves[1].column("C_back")[1]));
  EXPECT_FALSE(first.has("C_over_n"));
  const std::vector<std::string> notes = {
      "t.csv: a table of version 0.1; its C_over_n is read as C, its C as C_regenerated"};
  EXPECT_EQ(table.notes, notes);
  EXPECT_EQ(table.split("a").notes, notes);
  EXPECT_EQ(error_of([] {
              curves_of_text("split,trajectory,depth,C,C_over_n,C_regenerated\na,0,1,1,1,1\n");
            }),
            "[curves] t.csv: a table with C_over_n is of version 0.1: expected C and no "
            "C_regenerated beside it, found C, C_over_n, C_regenerated");
  EXPECT_TRUE(curves_of_text("split,trajectory,depth,C,C_regenerated\na,0,1,1,2\n").notes.empty());
}

TEST(Curves, GrowsDepthByDepth) {
  Curve curve;
  curve.add(1, {{"C", 0.1}});
  curve.add(5, {{"C", 0.2}});
  EXPECT_EQ(curve.size(), 2u);
  EXPECT_THROW(curve.add(5, {{"C", 0.3}}), Bug);
  Curve other;
  other.add(1, {{"C", 0.1}});
  EXPECT_THROW(other.add(2, {{"E", 0.1}}), Bug);
}

TEST(Curves, SaysWhatIsWrongAndWhere) {
  const std::string head = "split,trajectory,depth,C\n";
  EXPECT_EQ(error_of([&] { curves_of_text(head + "a,0,1,0.1\na,0,2,0.1\na,0,1,0.3\n"); }),
            "[curves] t.csv, line 4: split a, trajectory 0, depth 1 is there already, on line 2");
  EXPECT_EQ(error_of([&] { curves_of_text(head + "a,0,0,0.1\n"); }),
            "[curves] t.csv, line 2, column depth: expected a whole number from 1, found 0");
  EXPECT_EQ(error_of([&] { curves_of_text(head + "a,1.5,1,0.1\n"); }),
            "[curves] t.csv, line 2, column trajectory: expected a whole number from 0, found 1.5");
  EXPECT_EQ(error_of([&] { curves_of_text(head + "a,0,1,-0.1\n"); }),
            "[curves] t.csv, line 2, column C: expected a mean square, at least 0, found -0.1");
  EXPECT_EQ(error_of([&] { curves_of_text(head); }), "[curves] t.csv: no rows");
  EXPECT_EQ(error_of([&] { curves_of_text("split,trajectory,depth,C,C\na,0,1,1,1\n"); }),
            "[curves] t.csv: column C is there twice");
  EXPECT_NE(error_of([&] { curves_of_text("split,depth,C\na,1,1\n"); }).find("trajectory"),
            std::string::npos);
  EXPECT_NE(error_of([&] { curves_of_text(head + "a,0,1,1\n").split("test"); }).find("found a;"),
            std::string::npos);
  EXPECT_NE(
      error_of([&] { curves_of_text(head + "a,0,1,1\n").curves[0].column("E"); }).find("known: C"),
      std::string::npos);
}

}  // namespace
}  // namespace roundtrip

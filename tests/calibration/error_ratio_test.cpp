#include "roundtrip/calibration/error_ratio.h"

#include <gtest/gtest.h>

namespace roundtrip {
namespace {

TEST(ErrorRatio, ComparesMeansOverCommonDepths) {
  const CurveTable table =
      curves_from(parse_csv("split,trajectory,depth,E\n"
                            "train,0,1,1\ntrain,0,2,2\ntrain,1,1,1\ntrain,1,2,inf\n"
                            "test,0,1,2\ntest,0,2,10\ntest,0,3,99\n",
                            "t.csv"));
  const auto ratio = error_ratio(table, "E", "test", "train");
  ASSERT_TRUE(ratio.has_value());
  EXPECT_DOUBLE_EQ(ratio->mean, 12.0 / 3);
  EXPECT_DOUBLE_EQ(ratio->deepest, 5);
  EXPECT_EQ(ratio->depth, 2);
  EXPECT_FALSE(error_ratio(table, "E", "test", "calibration").has_value());
  EXPECT_FALSE(error_ratio(table, "E_density", "test", "train").has_value());
}

}  // namespace
}  // namespace roundtrip

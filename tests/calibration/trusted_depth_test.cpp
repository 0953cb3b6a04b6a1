#include "roundtrip/calibration/trusted_depth.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace roundtrip {
namespace {

TrustedDepth trusted(const std::vector<double>& values) {
  const std::vector<int64_t> depths = {5, 10, 20, 40};
  return trusted_depth(depths, values, 1.0);
}

TEST(TrustedDepth, StopsAtTheFirstCrossingOrAtTheLast) {
  EXPECT_EQ(trusted({0.1, 0.5, 1.0, 0.9}).first_crossing, 40);  // the tolerance itself is within
  EXPECT_EQ(trusted({0.1, 1.5, 0.9, 2}).first_crossing, 5);
  EXPECT_EQ(trusted({0.1, 1.5, 0.9, 2}).literal, 20);
  EXPECT_EQ(trusted({2, 0.1, 2, 2}).first_crossing, 0);
  EXPECT_EQ(trusted({2, 0.1, 2, 2}).literal, 10);
  EXPECT_EQ(trusted({2, 2, 2, 2}).literal, 0);
}

TEST(TrustedDepth, NothingUnknownIsTrusted) {
  EXPECT_EQ(trusted({0.1, std::nan(""), 0.1, INFINITY}).first_crossing, 5);
  EXPECT_EQ(trusted_depth({}, {}, 1.0).first_crossing, 0);
}

}  // namespace
}  // namespace roundtrip

#include "roundtrip/metrics/checks.h"

#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(Checks, NameTheFirstValueThatIsWrong) {
  EXPECT_EQ(error_of([] {
              require_finite(std::vector<double>{1, -kInfinity, kInfinity}, "drift");
            }),
            "[stats] drift: expected finite numbers, found -inf as value 2 of 3");
  EXPECT_EQ(error_of([] {
              require_positive(std::vector<double>{1e-320, 0}, "error");
            }),
            "[stats] error: expected finite numbers above 0, found 0 as value 2 of 2");
  EXPECT_NE(error_of([] { require_positive(std::vector<double>{kInfinity}, "error"); }),
            "no error");
  EXPECT_EQ(error_of([] { require_finite({}, "nothing"); }), "no error");
}

}  // namespace
}  // namespace roundtrip

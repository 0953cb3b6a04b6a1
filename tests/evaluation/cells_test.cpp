#include "roundtrip/evaluation/cells.h"

#include <limits>

#include <gtest/gtest.h>

namespace roundtrip {
namespace {

TEST(Cells, ANumberThatIsNotThereIsADash) {
  EXPECT_EQ(number(std::nullopt).text, "-");
  EXPECT_EQ(number(std::numeric_limits<double>::infinity()).text, "-");
  EXPECT_FALSE(number(std::nullopt, Interval{0, 1, 0}).interval);
  EXPECT_EQ(quoted(0.97).paper, 0.97);
  EXPECT_EQ(quoted(0.97).text, "-");
}

TEST(Cells, ANumberHasItsInterval) {
  const TableCell cell = number(Estimate{0.5, Interval{0.4, 0.6, 0}});
  EXPECT_EQ(cell.ours, 0.5);
  EXPECT_EQ(cell.interval, (CellInterval{0.4, 0.6}));
  EXPECT_EQ(count(12).text, "12");
}

}  // namespace
}  // namespace roundtrip

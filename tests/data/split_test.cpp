#include "roundtrip/data/split.h"

#include <gtest/gtest.h>

#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

TEST(Split, NamesGoBothWays) {
  for (const Split split : kSplits) EXPECT_EQ(parse_split(split_name(split)), split);
  EXPECT_EQ(split_name(Split::calibration), "calibration");
}

TEST(Split, AnUnknownNameListsTheKnownOnes) {
  EXPECT_EQ(error_of([] { parse_split("valid"); }),
            "[data] valid: no such split (known: train, selection, calibration, test, other)");
}

}  // namespace
}  // namespace roundtrip

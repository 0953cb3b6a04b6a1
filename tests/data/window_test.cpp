#include "roundtrip/data/window.h"

#include <gtest/gtest.h>

#include "roundtrip/base/error.h"

namespace roundtrip {
namespace {

using Frames = std::vector<int64_t>;

struct Row {
  int64_t target;
  int direction;
  int64_t contexts;
  int64_t anchor;
  Frames context;
};

TEST(Window, NearestIsLastAndSlotsBeyondTheAnchorHoldIt) {
  const std::vector<Row> table = {
      // forward from frame 0
      {1, 1, 1, 0, {0}},
      {5, 1, 1, 0, {4}},
      {1, 1, 2, 0, {0, 0}},
      {2, 1, 2, 0, {0, 1}},
      {99, 1, 2, 0, {97, 98}},
      {1, 1, 10, 0, Frames(10, 0)},
      {4, 1, 10, 0, {0, 0, 0, 0, 0, 0, 0, 1, 2, 3}},
      {10, 1, 10, 0, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}},
      {19, 1, 10, 0, {9, 10, 11, 12, 13, 14, 15, 16, 17, 18}},
      // a later start
      {7, 1, 3, 5, {5, 5, 6}},
      // backward from frame 99
      {98, -1, 1, 99, {99}},
      {0, -1, 1, 99, {1}},
      {98, -1, 2, 99, {99, 99}},
      {97, -1, 2, 99, {99, 98}},
      {0, -1, 2, 99, {2, 1}},
      {17, -1, 10, 19, {19, 19, 19, 19, 19, 19, 19, 19, 19, 18}},
      {0, -1, 10, 19, {10, 9, 8, 7, 6, 5, 4, 3, 2, 1}},
      // an earlier end
      {3, -1, 3, 5, {5, 5, 4}},
  };
  for (const Row& row : table) {
    const Window expected{row.context, row.anchor, row.target, row.direction};
    EXPECT_EQ(window_at(row.target, row.direction, row.contexts, row.anchor), expected)
        << row.target << " " << row.direction << " " << row.contexts;
  }
}

TEST(Window, AnAnchorThatIsNotBeforeTheTargetIsOurMistake) {
  EXPECT_THROW(window_at(0, 1, 2, 0), Bug);
  EXPECT_THROW(window_at(5, -1, 2, 4), Bug);
  EXPECT_THROW(window_at(5, 0, 2, 4), Bug);
  EXPECT_THROW(window_at(5, 1, 0, 4), Bug);
}

TEST(Window, AContextIsPaddedByTheAnchorAndCutToTheNewest) {
  const Frames known = {3, 4, 5};
  EXPECT_EQ(padded_context(known, 5, 0), (Frames{0, 0, 3, 4, 5}));
  EXPECT_EQ(padded_context(known, 3, 0), known);
  EXPECT_EQ(padded_context(known, 2, 0), (Frames{4, 5}));
  EXPECT_EQ(padded_context({}, 2, 7), (Frames{7, 7}));
}

}  // namespace
}  // namespace roundtrip

#include "roundtrip/base/error.h"

#include <gtest/gtest.h>

namespace roundtrip {
namespace {

TEST(Error, IsOneLineThatNamesThePart) {
  EXPECT_STREQ(Error("well", "a.hdf5: two\nlines \x1b[1m").what(), "[well] a.hdf5: two lines ?[1m");
}

TEST(Ensure, OurMistakeIsABugAndNoError) {
  EXPECT_NO_THROW(ensure(true, "holds"));
  try {
    ensure(false, "sizes agree");
    FAIL();
  } catch (const Bug& bug) {
    EXPECT_STREQ(bug.what(), "internal error: sizes agree");
  }
}

}  // namespace
}  // namespace roundtrip

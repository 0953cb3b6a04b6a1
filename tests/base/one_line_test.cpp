#include "roundtrip/base/one_line.h"

#include <gtest/gtest.h>

namespace roundtrip {
namespace {

TEST(OneLine, ControlCharactersAreShownAsQuestionMarks) {
  EXPECT_EQ(one_line("a\nb\tc\x1b[2J\x7f"), "a b?c?[2J?");
  // U+009B starts a command as ESC [ does; U+00A0 and what follows are letters.
  EXPECT_EQ(one_line("a\xc2\x9b"
                     "2Jb\xc2\x80"
                     "c"),
            "a?2Jb?c");
  EXPECT_EQ(one_line("Gr\xc3\xb6\xc3\x9f"
                     "e \xc2\xb5\xc2\xa0 \xc2"),
            "Gr\xc3\xb6\xc3\x9f"
            "e \xc2\xb5\xc2\xa0 \xc2");
}

}  // namespace
}  // namespace roundtrip

#include "roundtrip/io/png.h"

#include <gmock/gmock.h>

#include "roundtrip/base/error.h"
#include "tests/io/video_files.h"
#include "tests/support/read_png.h"

namespace roundtrip {
namespace {

class PngTest : public VideoFiles {};

TEST_F(PngTest, ComesBackExactly) {
  const Image image = moving_picture(37, 21, 5);
  write_png(folder_ / "a.png", image);
  EXPECT_EQ(read_png(folder_ / "a.png"), image);
}

TEST_F(PngTest, SamePictureSameBytes) {
  const Image image = moving_picture(64, 64, 0);
  write_png(folder_ / "a.png", image);
  write_png(folder_ / "b.png", image);
  EXPECT_EQ(read_file(folder_ / "a.png"), read_file(folder_ / "b.png"));
}

TEST_F(PngTest, AnEmptyPictureIsAnError) {
  EXPECT_THROW(write_png(folder_ / "a.png", Image()), Error);
}

}  // namespace
}  // namespace roundtrip

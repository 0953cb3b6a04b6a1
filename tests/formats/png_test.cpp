#include "roundtrip/formats/png.h"

#include <gmock/gmock.h>

#include "roundtrip/base/error.h"
#include "tests/formats/video_files.h"

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

TEST_F(PngTest, BadFilesAreErrors) {
  EXPECT_THROW(read_png(folder_ / "absent.png"), Error);
  EXPECT_THROW(write_png(folder_ / "a.png", Image()), Error);
  write_png(folder_ / "a.png", moving_picture(16, 16, 0));
  const std::string bytes = read_file(folder_ / "a.png");
  // The last 12 bytes are the end marker, which libpng does not insist on.
  for (size_t size = 0; size < bytes.size() - 12; size += 7) {
    write_file(folder_ / "cut.png", bytes.substr(0, size));
    EXPECT_THROW(read_png(folder_ / "cut.png"), Error) << size;
  }
  std::string vast = bytes;
  for (size_t i = 16; i < 24; ++i) vast[i] = 0x7f;  // width and height of the header
  write_file(folder_ / "vast.png", vast);
  EXPECT_THROW(read_png(folder_ / "vast.png"), Error);
}

}  // namespace
}  // namespace roundtrip

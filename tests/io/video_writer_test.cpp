#include "roundtrip/io/video_writer.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <malloc.h>

#include "roundtrip/base/error.h"
#include "roundtrip/base/random.h"
#include "tests/io/video_files.h"

namespace roundtrip {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class VideoWriterTest : public VideoFiles {
 protected:
  void expect_error(const VideoOptions& options, const std::string& part) {
    try {
      VideoWriter writer(folder_ / "bad.mp4", options);
      ADD_FAILURE() << "expected: " << part;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr(part));
      EXPECT_THAT(error.what(), HasSubstr("bad.mp4"));
    }
    EXPECT_TRUE(fs::is_empty(folder_));
  }
};

double psnr(const Image& a, const Image& b) {
  double squares = 0;
  for (size_t i = 0; i < a.pixels.size(); ++i) {
    const double difference = static_cast<double>(a.pixels[i]) - b.pixels[i];
    squares += difference * difference;
  }
  return 10 * std::log10(255.0 * 255.0 * static_cast<double>(a.pixels.size()) / squares);
}

TEST_F(VideoWriterTest, SameFramesSameBytes) {
  for (const std::string codec : {"libx264", "mpeg4"}) {
    const VideoOptions options = {.width = 64, .height = 48, .codec = codec};
    write_moving_video(folder_ / "a.mp4", options, 20);
    write_moving_video(folder_ / "b.mp4", options, 20);
    EXPECT_EQ(read_file(folder_ / "a.mp4"), read_file(folder_ / "b.mp4")) << codec;
  }
}

// What memory held before must not reach the file. Long enough for the encoder to look ahead; noise
// of our own in the picture gives it choices to make.
TEST_F(VideoWriterTest, SameBytesWhateverMemoryHeld) {
  const RandomStream random(5, "video_writer_test");
  const auto write = [&](const fs::path& path) {
    VideoWriter writer(path, {.width = 64, .height = 64});
    for (int64_t frame = 0; frame < 60; ++frame) {
      Image image = moving_picture(64, 64, frame);
      for (size_t i = 0; i < image.pixels.size(); ++i) {
        const uint64_t draw = static_cast<uint64_t>(frame) * image.pixels.size() + i;
        image.pixels[i] =
            static_cast<uint8_t>(std::clamp(image.pixels[i] + 6 * random.normal(draw), 0.0, 255.0));
      }
      writer.write(image);
    }
    writer.finish();
  };
  write(folder_ / "a.mp4");
  for (const int filling : {1, 85, 170, 254}) {
    mallopt(M_PERTURB, filling);
    write(folder_ / "b.mp4");
    mallopt(M_PERTURB, 0);
    EXPECT_TRUE(read_file(folder_ / "a.mp4") == read_file(folder_ / "b.mp4")) << filling;
  }
}

TEST_F(VideoWriterTest, CarriesNoDate) {
  write_moving_video(folder_ / "a.mp4", {.width = 16, .height = 16}, 2);
  const std::string bytes = read_file(folder_ / "a.mp4");
  // mvhd: version and flags (4 bytes), then creation and modification time.
  EXPECT_EQ(bytes.substr(bytes.find("mvhd") + 8, 8), std::string(8, '\0'));
}

TEST_F(VideoWriterTest, StartsWithItsIndex) {
  write_moving_video(folder_ / "a.mp4", {.width = 16, .height = 16}, 2);
  const std::string bytes = read_file(folder_ / "a.mp4");
  EXPECT_LT(bytes.find("moov"), bytes.find("mdat"));
}

// 4:2:0 halves the colour resolution, so even quality 0 is not exact; at the default the smooth
// test picture comes back 40 dB or better (an rms error of 2.5 levels). Other qualities keep order.
TEST_F(VideoWriterTest, ComesBackNearlyTheSame) {
  const auto worst_psnr = [&](const VideoOptions& options) {
    const auto written = write_moving_video(folder_ / "a.mp4", options, 25);
    const auto read = read_all(folder_ / "a.mp4");
    EXPECT_EQ(read.size(), written.size());
    double worst = 1e9;
    for (size_t k = 0; k < read.size(); ++k) {
      EXPECT_DOUBLE_EQ(read[k].time, static_cast<double>(k) / options.rate);
      worst = std::min(worst, psnr(read[k].image, written[k]));
    }
    return worst;
  };
  EXPECT_GE(worst_psnr({.width = 96, .height = 64}), 40);
  EXPECT_GE(worst_psnr({.width = 96, .height = 64, .rate = 25.0 / 3, .quality = 4}), 42);
  EXPECT_GE(worst_psnr({.width = 96, .height = 64, .quality = 4, .codec = "mpeg4"}), 38);
  EXPECT_LT(worst_psnr({.width = 96, .height = 64, .quality = 45}), 36);
}

TEST_F(VideoWriterTest, TakesTheBestEncoder) {
  EXPECT_THAT(VideoWriter(folder_ / "a.mp4", {.width = 16, .height = 16}).codec(),
              testing::AnyOf("libx264", "mpeg4"));
}

TEST_F(VideoWriterTest, LeavesNothingWithoutFinish) {
  {
    VideoWriter writer(folder_ / "a.mp4", {.width = 16, .height = 16});
    writer.write(Image(16, 16));
  }
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(VideoWriterTest, RefusesToReplaceWhenAsked) {
  const VideoOptions options = {
      .width = 16, .height = 16, .if_exists = AtomicFile::IfExists::refuse};
  write_moving_video(folder_ / "a.mp4", options, 1);
  EXPECT_THROW(VideoWriter(folder_ / "a.mp4", options), Error);
}

TEST_F(VideoWriterTest, BadOptionsAndFrames) {
  expect_error({.width = 15, .height = 16}, "even");
  expect_error({.width = 0, .height = 0}, "even");
  expect_error({.width = 16, .height = 16, .rate = 0}, "rate: expected");
  expect_error({.width = 16, .height = 16, .rate = -25}, "rate: expected");
  expect_error({.width = 16, .height = 16, .quality = 60}, "quality: expected");
  expect_error({.width = 16, .height = 16, .codec = "av2"}, "no encoder av2");
  VideoWriter writer(folder_ / "a.mp4", {.width = 16, .height = 16});
  EXPECT_THROW(writer.finish(), Error);
  EXPECT_THROW(writer.write(Image(8, 16)), Error);
}

}  // namespace
}  // namespace roundtrip

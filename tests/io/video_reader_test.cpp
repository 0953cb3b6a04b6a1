#include "roundtrip/io/video_reader.h"

#include <csignal>
#include <cstdlib>
#include <limits>

#include <gmock/gmock.h>

#include "roundtrip/base/error.h"
#include "roundtrip/base/interrupt.h"
#include "tests/io/video_files.h"

namespace roundtrip {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class VideoReaderTest : public VideoFiles {
 protected:
  // Grey frames of one level each, frame k at luma 16 + 2 k.
  fs::path counting_video(int frames, const std::string& rate) {
    const fs::path path = folder_ / "counting.y4m";
    write_y4m(path, 16, 16, rate, frames, [](int frame, int, int) { return 16 + 2 * frame; });
    return path;
  }

  // Which stored frames a request picks.
  std::vector<int> picked(const fs::path& path, double rate) {
    std::vector<int> indices;
    for (const TimedFrame& frame : read_all(path, {.rate = rate})) {
      const double luma = frame.image.at(8, 8).red * 219.0 / 255.0 + 16;
      indices.push_back(static_cast<int>(std::lround((luma - 16) / 2)));
    }
    return indices;
  }

  void expect_error(const fs::path& path, const std::string& part, VideoRequest request = {}) {
    try {
      const auto frames = read_all(path, request);
      ADD_FAILURE() << path << ": read " << frames.size() << " frames, expected: " << part;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr(part));
      EXPECT_THAT(error.what(), HasSubstr(path.string()));
      EXPECT_THAT(error.what(), testing::Not(HasSubstr("\n")));
    }
  }
};

// Luma to RGB is exact up to the rounding of swscale's 13-bit coefficients: one level.
TEST_F(VideoReaderTest, GivesStoredPixels) {
  const fs::path path = folder_ / "ramp.y4m";
  write_y4m(path, 32, 18, "F25:1", 3,
            [](int frame, int column, int row) { return 20 + 5 * column + row + 10 * frame; });
  const auto frames = read_all(path);
  ASSERT_EQ(frames.size(), 3u);
  for (int k = 0; k < 3; ++k) {
    ASSERT_EQ(frames[k].image.width, 32);
    ASSERT_EQ(frames[k].image.height, 18);
    EXPECT_DOUBLE_EQ(frames[k].time, k / 25.0);
    for (int row = 0; row < 18; ++row) {
      for (int column = 0; column < 32; ++column) {
        const Rgb pixel = frames[k].image.at(column, row);
        const int expected = grey_of(20 + 5 * column + row + 10 * k);
        ASSERT_NEAR(pixel.red, expected, 1);
        ASSERT_NEAR(pixel.green, expected, 1);
        ASSERT_NEAR(pixel.blue, expected, 1);
      }
    }
  }
}

TEST_F(VideoReaderTest, TellsWhatItIs) {
  const fs::path path = folder_ / "a.mp4";
  write_moving_video(path, {.width = 48, .height = 32, .rate = 25.0 / 3}, 10);
  const VideoInfo info = inspect_video(path);
  EXPECT_EQ(info.width, 48);
  EXPECT_EQ(info.height, 32);
  EXPECT_DOUBLE_EQ(info.rate, 25.0 / 3);
  EXPECT_EQ(info.frames, 10);
  EXPECT_NEAR(info.duration, 1.2, 1e-9);
  EXPECT_THAT(info.container, HasSubstr("mp4"));
  EXPECT_EQ(info.rotation, 0);
}

TEST_F(VideoReaderTest, EveryThirdFrame) {
  std::vector<int> expected;
  for (int k = 0; k < 75; k += 3) expected.push_back(k);
  EXPECT_EQ(picked(counting_video(75, "F25:1"), 25.0 / 3), expected);
}

TEST_F(VideoReaderTest, NearestFrameAtAnotherRate) {
  std::vector<int> expected;  // frame nearest to k/25 s among those at i/30 s
  for (int k = 0; k / 25.0 < 59.5 / 30; ++k) {
    expected.push_back(static_cast<int>(std::lround(k * 30.0 / 25.0)));
  }
  EXPECT_EQ(picked(counting_video(60, "F30:1"), 25), expected);
}

TEST_F(VideoReaderTest, TheEarlierOfTwoAsNear) {
  EXPECT_EQ(picked(counting_video(7, "F25:1"), 50.0 / 3), (std::vector<int>{0, 1, 3, 4, 6}));
  EXPECT_EQ(picked(counting_video(3, "F25:1"), 50), (std::vector<int>{0, 0, 1, 1, 2}));
}

// Rates quoted with few digits must not lose the last frame: k/29.97 is a little after frame k.
TEST_F(VideoReaderTest, RoundedRateKeepsEveryFrame) {
  EXPECT_EQ(picked(counting_video(100, "F30000:1001"), 29.97).size(), 100u);
}

TEST_F(VideoReaderTest, SingleFrame) {
  EXPECT_EQ(picked(counting_video(1, "F25:1"), 25), (std::vector<int>{0}));
}

TEST_F(VideoReaderTest, CropsAboutTheCentre) {
  const auto expect_white = [&](const std::string& tags, int width, int height, auto inside) {
    const fs::path path = folder_ / "crop.y4m";
    write_y4m(path, width, height, tags, 1,
              [&](int, int column, int row) { return inside(column, row) ? 235 : 16; });
    const auto frames = read_all(path, {.width = 20, .height = 20});
    ASSERT_EQ(frames.size(), 1u);
    ASSERT_EQ(frames[0].image.width, 20);
    ASSERT_EQ(frames[0].image.height, 20);
    for (const uint8_t level : frames[0].image.pixels) ASSERT_GE(level, 254) << tags;
  };
  const auto middle = [](int position, int size, int keep) {
    return position >= (size - keep) / 2 && position < (size + keep) / 2;
  };
  expect_white("F25:1", 80, 40, [&](int x, int) { return middle(x, 80, 40); });
  expect_white("F25:1", 40, 100, [&](int, int y) { return middle(y, 100, 40); });
  // Pixels twice as wide as high: 40 x 40 stored is shown 80 x 40.
  expect_white("F25:1 A2:1", 40, 40, [&](int x, int) { return middle(x, 40, 20); });
}

// Area means: a checkerboard of single pixels becomes the mean of its two levels.
TEST_F(VideoReaderTest, ShrinksByAreaMeans) {
  const fs::path path = folder_ / "checkers.y4m";
  write_y4m(path, 64, 64, "F25:1", 1,
            [](int, int column, int row) { return (column + row) % 2 == 0 ? 40 : 200; });
  const auto frames = read_all(path, {.width = 16, .height = 16});
  for (const uint8_t level : frames.at(0).image.pixels) ASSERT_NEAR(level, grey_of(120), 1);
}

// The rotation a phone writes: a matrix in the track header ("tkhd", 36 bytes from byte 44 on).
TEST_F(VideoReaderTest, HonoursQuarterTurns) {
  Image quadrants(64, 32);  // red, green above blue, white
  for (int64_t row = 0; row < 32; ++row) {
    for (int64_t column = 0; column < 64; ++column) {
      const bool right = column >= 32;
      const bool low = row >= 16;
      quadrants.set(column, row,
                    low ? (right ? Rgb{255, 255, 255} : Rgb{0, 0, 255})
                        : (right ? Rgb{0, 255, 0} : Rgb{255, 0, 0}));
    }
  }
  const fs::path path = folder_ / "phone.mp4";
  VideoWriter writer(path, {.width = 64, .height = 32});
  writer.write(quadrants);
  writer.finish();
  std::string bytes = read_file(path);
  const size_t matrix = bytes.find("tkhd") + 4 + 40;
  const auto patch = [&](size_t entry, int32_t value) {
    for (size_t i = 0; i < 4; ++i) {
      bytes[matrix + 4 * entry + i] = static_cast<char>(value >> (24 - 8 * i));
    }
  };
  const auto corners = [&] {
    const auto frame = read_all(path).at(0).image;
    const auto letter = [&](int64_t x, int64_t y) {
      const Rgb p = frame.at(x, y);
      const bool r = p.red > 128, g = p.green > 128, b = p.blue > 128;
      return r && g && b ? 'w' : r ? 'r' : g ? 'g' : b ? 'b' : '?';
    };
    const int64_t x = frame.width - 8, y = frame.height - 8;
    return std::string{letter(8, 8), letter(x, 8), letter(8, y), letter(x, y)};
  };
  EXPECT_EQ(corners(), "rgbw");
  constexpr int32_t kOne = 1 << 16;
  const std::tuple<int32_t, int32_t, int32_t, int32_t, int, const char*> turns[] = {
      {0, kOne, -kOne, 0, 90, "brwg"},
      {-kOne, 0, 0, -kOne, 180, "wbgr"},
      {0, -kOne, kOne, 0, 270, "gwrb"}};
  for (const auto& [a, b, c, d, degrees, expected] : turns) {
    patch(0, a);
    patch(1, b);
    patch(3, c);
    patch(4, d);
    write_file(path, bytes);
    const VideoInfo info = inspect_video(path);
    EXPECT_EQ(info.rotation, degrees);
    EXPECT_EQ(info.width, degrees == 180 ? 64 : 32);
    EXPECT_EQ(corners(), expected) << degrees;
  }
}

TEST_F(VideoReaderTest, NamesThatLookLikeAddresses) {
  const fs::path path = folder_ / "http:a%d.y4m";
  write_y4m(path, 16, 16, "F25:1", 2, [](int, int, int) { return 100; });
  EXPECT_EQ(read_all(path).size(), 2u);
}

TEST_F(VideoReaderTest, BadFilesAreOneClearLine) {
  const auto file = [&](const std::string& name, const std::string& bytes) {
    write_file(folder_ / name, bytes);
    return folder_ / name;
  };
  expect_error(folder_ / "absent.mp4", "no such file; check the path");
  expect_error(folder_, "found a folder");
  expect_error(file("empty.mp4", ""), "the file is empty");
  expect_error(file("zeros.mp4", std::string(5000, '\0')), "not a video");
  expect_error(file("words.mp4", "These are words, not pictures.\n"), "not a video");
  std::string book;
  for (int line = 0; line < 2000; ++line) book += "These are words, not pictures.\n";
  expect_error(file("words.txt", book), "found a text file");
  expect_error(file("none.y4m", "YUV4MPEG2 W64 H64 F25:1 Ip C444\n"),
               "there is no frame in it; download");
  expect_error(file("flat.y4m", "YUV4MPEG2 W0 H0 F25:1 Ip C444\nFRAME\n"), "flat.y4m");
  expect_error(file("vast.y4m", "YUV4MPEG2 W60000 H60000 F25:1 Ip C444\nFRAME\n"), "vast.y4m");
  // A WAV: "RIFF", 8 kHz mono 8-bit, 800 samples of silence.
  const std::string header(
      "RIFF\x44\x03\0\0WAVEfmt \x10\0\0\0\1\0\1\0\x40\x1f\0\0\x40\x1f\0\0"
      "\1\0\x08\0data\x20\x03\0\0",
      44);
  expect_error(file("sound.wav", header + std::string(800, '\x80')), "no video in it");
}

// Playlists and scripts name other files, and a live one is waited for without end.
TEST_F(VideoReaderTest, FilesThatNameOthersAreRefused) {
  write_moving_video(folder_ / "a.mp4", {.width = 32, .height = 32}, 3);
  const fs::path path = folder_ / "list.mp4";
  for (const char* text :
       {"#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\na.mp4\n",
        "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\na.mp4\n#EXT-X-ENDLIST\n",
        "ffconcat version 1.0\nfile a.mp4\nfile a.mp4\n",
        "<?xml version=\"1.0\"?>\n<MPD "
        "profiles=\"urn:mpeg:dash:profile:isoff-live:2011\"></MPD>"}) {
    write_file(path, text);
    expect_error(path, "expected one video file by itself, found the format");
    expect_error(path, "; convert it with ffmpeg");
  }
}

TEST_F(VideoReaderTest, StopsWhenAsked) {
  const fs::path path = folder_ / "a.mp4";
  write_moving_video(path, {.width = 32, .height = 32}, 3);
  catch_interrupts();
  std::raise(SIGINT);
  EXPECT_THROW(read_all(path), Interrupted);
  catch_interrupts();
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  EXPECT_EQ(read_all(path).size(), 3u);
}

TEST_F(VideoReaderTest, UnknownCodecIsNamed) {
  const fs::path path = folder_ / "a.mp4";
  write_moving_video(path, {.width = 32, .height = 32, .codec = "mpeg4"}, 3);
  std::string bytes = read_file(path);
  bytes.replace(bytes.find("mp4v", bytes.find("stsd")), 4, "zzzz");
  bytes.replace(bytes.find("esds"), 4, "free");  // names the codec a second time
  write_file(path, bytes);
  expect_error(path, "zzzz");
}

TEST_F(VideoReaderTest, BadRequests) {
  const fs::path path = counting_video(3, "F25:1");
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  expect_error(path, "rate: expected", {.rate = -1});
  expect_error(path, "rate: expected", {.rate = kNan});
  expect_error(path, "rate: expected", {.rate = 1e9});
  expect_error(path, "size: expected", {.width = 16, .height = 0});
  expect_error(path, "size: expected", {.width = -4, .height = -4});
  expect_error(path, "size: expected", {.width = 1 << 20, .height = 16});
}

// Wherever an MP4 is cut, it is refused: a shorter video is never returned in silence.
TEST_F(VideoReaderTest, TruncatedAnywhereIsAnError) {
  const fs::path whole = folder_ / "whole.mp4";
  write_moving_video(whole, {.width = 64, .height = 64}, 12);
  const std::string bytes = read_file(whole);
  ASSERT_EQ(read_all(whole).size(), 12u);
  const fs::path cut = folder_ / "cut.mp4";
  constexpr size_t kCuts = 40;
  for (size_t i = 0; i < kCuts; ++i) {
    const size_t size = 1 + i * (bytes.size() - 2) / (kCuts - 1);
    write_file(cut, std::string_view(bytes).substr(0, size));
    expect_error(cut, "cut.mp4");
  }
}

// Damage in any byte ends in frames or in an Error, never in a crash (run under asan).
TEST_F(VideoReaderTest, DamagedBytesNeverCrash) {
  const fs::path whole = folder_ / "whole.mp4";
  write_moving_video(whole, {.width = 32, .height = 32}, 5);
  const std::string bytes = read_file(whole);
  const fs::path path = folder_ / "damaged.mp4";
  int refused = 0;
  for (size_t at = 0; at < bytes.size(); at += 17) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 0xff);
    write_file(path, damaged);
    try {
      read_all(path, {.width = 16, .height = 16, .rate = 5});
    } catch (const Error&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 0);
}

}  // namespace
}  // namespace roundtrip

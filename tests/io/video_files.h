#pragma once

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "roundtrip/base/atomic_file.h"
#include "roundtrip/base/image.h"
#include "roundtrip/io/video_reader.h"
#include "roundtrip/io/video_writer.h"

namespace roundtrip {

/// A folder of its own for each test, removed afterwards.
class VideoFiles : public testing::Test {
 protected:
  VideoFiles() {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(testing::TempDir()) /
              fmt::format("roundtrip-{}-{}", test->test_suite_name(), test->name());
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  ~VideoFiles() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path folder_;
};

/// An uncompressed grey video (YUV4MPEG2, 4:4:4) whose luma is luma(frame, column, row), so that
/// every pixel a reader should return is known.
inline void write_y4m(const std::filesystem::path& path, int width, int height,
                      const std::string& tags, int frames,
                      const std::function<int(int, int, int)>& luma) {
  std::string bytes = fmt::format("YUV4MPEG2 W{} H{} Ip C444 {}\n", width, height, tags);
  for (int frame = 0; frame < frames; ++frame) {
    bytes += "FRAME\n";
    for (int row = 0; row < height; ++row) {
      for (int column = 0; column < width; ++column) {
        bytes += static_cast<char>(luma(frame, column, row));
      }
    }
    bytes.append(static_cast<size_t>(2 * width * height), '\x80');
  }
  write_file(path, bytes);
}

/// What luma 16..235 is in RGB.
inline int grey_of(int luma) { return static_cast<int>(std::lround((luma - 16) * 255.0 / 219.0)); }

/// A smooth coloured picture that moves with the frame number.
inline Image moving_picture(int64_t width, int64_t height, int64_t frame) {
  Image image(width, height);
  for (int64_t row = 0; row < height; ++row) {
    for (int64_t column = 0; column < width; ++column) {
      const double x = 6.28 * static_cast<double>(column + frame) / static_cast<double>(width);
      const double y = 6.28 * static_cast<double>(row) / static_cast<double>(height);
      const auto level = [](double wave) {
        return static_cast<uint8_t>(std::lround(128 + 100 * wave));
      };
      image.set(column, row, {level(std::sin(x)), level(std::cos(y)), level(std::sin(x + y))});
    }
  }
  return image;
}

inline std::vector<Image> write_moving_video(const std::filesystem::path& path,
                                             const VideoOptions& options, int64_t count) {
  std::vector<Image> frames;
  VideoWriter writer(path, options);
  for (int64_t k = 0; k < count; ++k) {
    frames.push_back(moving_picture(options.width, options.height, k));
    writer.write(frames.back());
  }
  writer.finish();
  return frames;
}

struct TimedFrame {
  Image image;
  double time;
};

inline std::vector<TimedFrame> read_all(const std::filesystem::path& path,
                                        const VideoRequest& request = {}) {
  VideoReader reader(path, request);
  std::vector<TimedFrame> frames;
  Image image;
  while (reader.next(image)) frames.push_back({image, reader.time()});
  return frames;
}

}  // namespace roundtrip

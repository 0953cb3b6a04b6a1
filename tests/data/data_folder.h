#pragma once

#include <filesystem>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <torch/types.h>
#include <unistd.h>

#include "roundtrip/data/dataset.h"
#include "roundtrip/io/well_writer.h"
#include "tests/support/write_fno_mat.h"

// Small datasets whose every value is known.

namespace roundtrip {

/// A folder of its own for each test, removed afterwards.
class DataTest : public ::testing::Test {
 protected:
  DataTest() {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::temp_directory_path() /
              fmt::format("roundtrip-{}-{}-{}", ::getpid(), test->test_suite_name(), test->name());
    std::filesystem::create_directories(folder_);
  }
  ~DataTest() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

 private:
  std::filesystem::path folder_;
};

using FieldValue =
    std::function<float(int64_t trajectory, int64_t frame, int64_t channel, int64_t point)>;

/// Every index shows in it, and it is exact in float32.
inline float plain_value(int64_t trajectory, int64_t frame, int64_t channel, int64_t point) {
  return static_cast<float>(trajectory * 10000 + frame * 1000 + channel * 100 + point);
}

/// A frame of `plain_value`, (channels, height, width).
inline torch::Tensor plain_frame(int64_t trajectory, int64_t frame, int64_t channels,
                                 int64_t height, int64_t width) {
  torch::Tensor values = torch::empty({channels, height * width});
  for (int64_t c = 0; c < channels; ++c) {
    for (int64_t i = 0; i < height * width; ++i)
      values[c][i] = plain_value(trajectory, frame, c, i);
  }
  return values.view({channels, height, width});
}

/// A Well file of density and velocity on a 3 x 4 grid.
inline void write_well(const std::filesystem::path& path, int64_t trajectories, int64_t frames,
                       const FieldValue& value = plain_value, int64_t width = 4) {
  WellHeader header;
  header.dataset_name = "example";
  header.n_trajectories = trajectories;
  for (int64_t t = 0; t < frames; ++t) header.time.coordinates.push_back(static_cast<double>(t));
  header.axes = {{.name = "x", .coordinates = {0, 1, 2}}, {.name = "y", .coordinates = {}}};
  for (int64_t j = 0; j < width; ++j) {
    header.axes[1].coordinates.push_back(static_cast<double>(j));
  }
  header.boundaries = {boundary_of(header.axes[0], "PERIODIC"),
                       boundary_of(header.axes[1], "OPEN")};
  header.fields = {{.name = "density"}, {.name = "velocity", .order = 1}};
  WellWriter writer(path, header);
  std::vector<float> values(static_cast<size_t>(header.frame_size()));
  for (int64_t n = 0; n < trajectories; ++n) {
    for (int64_t t = 0; t < frames; ++t) {
      for (int64_t i = 0; i < header.frame_size(); ++i) {
        values[i] = value(n, t, i / (3 * width), i % (3 * width));
      }
      writer.write_frame(n, t, values);
    }
  }
  writer.finish();
}

/// A MAT file of one channel on a 3 x 4 grid.
inline void write_mat(const std::filesystem::path& path, int64_t trajectories, int64_t frames,
                      MatLevel level = MatLevel::level5, const FieldValue& value = plain_value) {
  std::vector<float> values;
  for (int64_t n = 0; n < trajectories; ++n) {
    for (int64_t t = 0; t < frames; ++t) {
      for (int64_t i = 0; i < 12; ++i) values.push_back(value(n, t, 0, i));
    }
  }
  std::vector<double> times(static_cast<size_t>(frames));
  std::iota(times.begin(), times.end(), 1.0);
  write_fno_mat(path,
                {.trajectories = trajectories,
                 .height = 3,
                 .width = 4,
                 .times = times,
                 .solution = values},
                level);
}

}  // namespace roundtrip

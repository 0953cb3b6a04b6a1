#pragma once

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "roundtrip/base/error.h"
#include "roundtrip/io/well_writer.h"

// A small Well file with a field of every kind, for the tests of this folder.
// tests/reference/check_well_file.py knows it too.

namespace roundtrip {

/// A folder of its own for each test, removed afterwards.
class WellTest : public ::testing::Test {
 protected:
  WellTest() {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::temp_directory_path() /
              fmt::format("roundtrip-{}-{}-{}", ::getpid(), test->test_suite_name(), test->name());
    std::filesystem::create_directories(folder_);
  }
  ~WellTest() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  std::filesystem::path file(const std::string& name) const { return folder_ / name; }
  const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path folder_;
};

/// Two trajectories of three frames on a 3 x 4 grid: scalars that vary with everything, not in
/// time, not between trajectories, along one axis; a vector; a tensor.
inline WellHeader example_header() {
  WellHeader header;
  header.dataset_name = "example";
  header.n_trajectories = 2;
  header.parameters = {{"gamma", 5.0 / 3}, {"viscosity", 1e-5}};
  header.time.coordinates = {0.5, 1.0, 1.5};
  header.axes = {{.name = "x", .coordinates = {0.25, 0.5, 0.75}},
                 {.name = "y", .coordinates = {-1, 0, 1, 2}}};
  header.boundaries = {boundary_of(header.axes[0], "PERIODIC"),
                       boundary_of(header.axes[1], "OPEN")};
  header.scalars = {{.name = "drive",
                     .sample_varying = true,
                     .time_varying = true,
                     .values = {1, 2, 3, 4, 5, 6}}};
  header.fields = {{.name = "density"},
                   {.name = "ground", .time_varying = false},
                   {.name = "clock", .sample_varying = false},
                   {.name = "profile", .dim_varying = {false, true}},
                   {.name = "velocity", .order = 1},
                   {.name = "stress", .order = 2, .symmetric = true}};
  header.notes = {{"pressure", "total"}, {"provenance", R"({"seed": 7, "who": "Größe"})"}};
  return header;
}

/// The value of a field (by its place in the header): every index shows in it, and it is exact in
/// float32. An index the field does not vary with is 0.
inline float example_value(size_t field, int64_t trajectory, int64_t frame, int64_t i, int64_t j,
                           int64_t component) {
  return static_cast<float>(static_cast<int64_t>(field) * 10000 + trajectory * 1000 + frame * 100 +
                            i * 10 + j) +
         static_cast<float>(component) / 8;
}

/// A whole frame, [channel, x, y].
inline std::vector<float> example_frame(const WellHeader& header, int64_t trajectory,
                                        int64_t frame) {
  std::vector<float> values;
  for (size_t f = 0; f < header.fields.size(); ++f) {
    const WellField& field = header.fields[f];
    const auto along = [&](size_t d, int64_t index) {
      return field.dim_varying.empty() || field.dim_varying[d] ? index : 0;
    };
    const int64_t b = field.sample_varying ? trajectory : 0;
    const int64_t t = field.time_varying ? frame : 0;
    for (int64_t c = 0; c < header.components(field); ++c) {
      for (int64_t i = 0; i < header.axes[0].size(); ++i) {
        for (int64_t j = 0; j < header.axes[1].size(); ++j) {
          values.push_back(example_value(f, b, t, along(0, i), along(1, j), c));
        }
      }
    }
  }
  return values;
}

/// Frames [first, first + count) of a trajectory as `read_window` should give them.
inline std::vector<float> example_window(const WellHeader& header, int64_t trajectory,
                                         int64_t first, int64_t count) {
  std::vector<float> window;
  for (int64_t t = first; t < first + count; ++t) {
    const std::vector<float> frame = example_frame(header, trajectory, t);
    window.insert(window.end(), frame.begin(), frame.end());
  }
  return window;
}

/// Writes all frames and finishes.
inline void write_example(const std::filesystem::path& path,
                          const WellHeader& header = example_header()) {
  WellWriter writer(path, header);
  for (int64_t b = 0; b < header.n_trajectories; ++b) {
    for (int64_t t = 0; t < header.frames(); ++t) {
      writer.write_frame(b, t, example_frame(header, b, t));
    }
  }
  writer.finish();
}

/// Debian's Python, whose h5py scripts/setup installs, unless PYTHON names another.
inline std::string python() {
  const char* chosen = std::getenv("PYTHON");
  return chosen != nullptr ? chosen : "/usr/bin/python3";
}

inline bool has_h5py() {
  static const bool found =
      std::system((python() + " -c 'import h5py, numpy, yaml' >/dev/null 2>&1").c_str()) == 0;
  return found;
}

/// Runs tests/reference/check_well_file.py: "" when it agrees, otherwise what it says.
inline std::string run_reference(const std::string& action, const std::filesystem::path& path) {
  const std::string command = fmt::format("{} {}/tests/reference/check_well_file.py {} '{}' 2>&1",
                                          python(), ROUNDTRIP_SOURCE_DIR, action, path.string());
  FILE* pipe = ::popen(command.c_str(), "r");
  ensure(pipe != nullptr, "no shell");
  std::string output;
  char buffer[256];
  while (std::fgets(buffer, sizeof buffer, pipe) != nullptr) output += buffer;
  const int status = ::pclose(pipe);
  return status == 0 ? "" : fmt::format("exit {}: {}", status, output);
}

}  // namespace roundtrip

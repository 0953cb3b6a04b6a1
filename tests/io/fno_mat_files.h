#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <matio.h>
#include <unistd.h>

#include "roundtrip/base/error.h"
#include "roundtrip/io/fno_mat.h"
#include "roundtrip/io/hdf5.h"
#include "tests/support/mat_builder.h"
#include "tests/support/write_fno_mat.h"

namespace roundtrip {

/// Sizes and values of tests/reference/fno_mat.py; all lengths differ so that no two axes can swap.
constexpr int64_t kN = 5, kH = 4, kW = 3, kT = 6;

inline float value(int64_t n, int64_t i, int64_t j, int64_t t) {
  return static_cast<float>(((n * 7 + i) * 11 + j) * 13 + t) / 8;
}
inline float initial_value(int64_t n, int64_t i, int64_t j) {
  return -static_cast<float>((n * 7 + i) * 11 + j) / 8;
}

/// [N, T, H, W]
inline std::vector<float> solution() {
  std::vector<float> values;
  for (int64_t n = 0; n < kN; ++n) {
    for (int64_t t = 0; t < kT; ++t) {
      for (int64_t i = 0; i < kH; ++i) {
        for (int64_t j = 0; j < kW; ++j) values.push_back(value(n, i, j, t));
      }
    }
  }
  return values;
}

inline std::vector<float> initial() {
  std::vector<float> values;
  for (int64_t n = 0; n < kN; ++n) {
    for (int64_t i = 0; i < kH; ++i) {
      for (int64_t j = 0; j < kW; ++j) values.push_back(initial_value(n, i, j));
    }
  }
  return values;
}

inline std::vector<double> times() { return {0.25, 0.5, 0.75, 1.0, 1.25, 1.5}; }

// The values of u where column-major order puts them, each written by `to_bytes`.
template <class ToBytes>
std::string solution_payload(ToBytes to_bytes) {
  std::vector<std::string> cells(kN * kH * kW * kT);
  for (int64_t n = 0; n < kN; ++n) {
    for (int64_t i = 0; i < kH; ++i) {
      for (int64_t j = 0; j < kW; ++j) {
        for (int64_t t = 0; t < kT; ++t) {
          cells[static_cast<size_t>(n + kN * (i + kH * (j + kW * t)))] =
              to_bytes(value(n, i, j, t));
        }
      }
    }
  }
  std::string payload;
  for (const std::string& cell : cells) payload += cell;
  return payload;
}

inline std::string initial_payload(const Builder& build) {
  std::string payload;
  for (int64_t j = 0; j < kW; ++j) {
    for (int64_t i = 0; i < kH; ++i) {
      for (int64_t n = 0; n < kN; ++n) payload += build.number(initial_value(n, i, j));
    }
  }
  return payload;
}

struct Elements {
  std::string t, a, u;
};

inline Elements elements_by(const Builder& build) {
  std::string t;
  for (const double time : times()) t += build.number(static_cast<float>(time));
  return {
      build.matrix(7, {1, kT}, "t", build.element(7, t)),
      build.matrix(7, {kN, kH, kW}, "a", build.element(7, initial_payload(build))),
      build.matrix(7, {kN, kH, kW, kT}, "u",
                   build.element(7, solution_payload([&](float x) { return build.number(x); })))};
}

// u comes last, so that a file cut short anywhere lacks part of it.
inline std::string file_by_hand(const Builder& build, bool compress = false) {
  const Elements elements = elements_by(build);
  std::string bytes = build.header();
  for (const std::string& element : {elements.t, elements.a, elements.u}) {
    bytes += compress ? build.compressed(element) : element;
  }
  return bytes;
}

class FnoMatTest : public testing::Test {
 public:
  FnoMatTest()
      : folder_(std::filesystem::path(testing::TempDir()) / fmt::format("fno_mat-{}", getpid())) {
    std::filesystem::create_directories(folder_);
  }
  ~FnoMatTest() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path path(const std::string& name = "x.mat") const { return folder_ / name; }

  std::filesystem::path save(const std::string& bytes) const {
    std::filesystem::remove(
        path());  // overwriting in place makes some file systems sync, which is slow
    std::ofstream(path(), std::ios::binary) << bytes;
    return path();
  }

  // The message of the Error that opening and reading all gives, "" when there is none.
  static std::string error_of(const std::filesystem::path& file) {
    try {
      const FnoMatReader reader(file);
      const int64_t cells = reader.trajectories() * reader.height() * reader.width();
      std::vector<float> values(static_cast<size_t>(cells * reader.frames()));
      reader.read(0, reader.trajectories(), values);
      values.resize(static_cast<size_t>(cells));
      if (reader.has_initial()) reader.read_initial(0, reader.trajectories(), values);
      return "";
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
      return error.what();
    }
  }

  static void expect_reference(const std::filesystem::path& file) {
    SCOPED_TRACE(file.filename());
    const FnoMatReader reader(file);
    ASSERT_EQ(reader.trajectories(), kN);
    ASSERT_EQ(reader.height(), kH);
    ASSERT_EQ(reader.width(), kW);
    ASSERT_EQ(reader.frames(), kT);
    EXPECT_EQ(reader.times(), times());
    std::vector<float> values(kN * kH * kW * kT);
    reader.read(0, kN, values);
    EXPECT_EQ(values, solution());
    ASSERT_TRUE(reader.has_initial());
    values.resize(kN * kH * kW);
    reader.read_initial(0, kN, values);
    EXPECT_EQ(values, initial());
  }

  // Every window of trajectories equals that part of the whole.
  static void expect_windows(const std::filesystem::path& file) {
    const FnoMatReader reader(file);
    const std::vector<float> whole = solution();
    const std::vector<float> starts = initial();
    constexpr int64_t kFrame = kH * kW;
    for (int64_t first = 0; first < kN; ++first) {
      for (int64_t count = 0; first + count <= kN; ++count) {
        std::vector<float> values(static_cast<size_t>(count * kT * kFrame));
        reader.read(first, count, values);
        EXPECT_TRUE(std::equal(values.begin(), values.end(), whole.begin() + first * kT * kFrame));
        values.resize(static_cast<size_t>(count * kFrame));
        reader.read_initial(first, count, values);
        EXPECT_TRUE(std::equal(values.begin(), values.end(), starts.begin() + first * kFrame));
      }
    }
  }

  /// The reference as a file of one of the levels.
  static void write_reference(const std::filesystem::path& file, MatLevel level) {
    write_fno_mat(file,
                  {.trajectories = kN,
                   .height = kH,
                   .width = kW,
                   .times = times(),
                   .initial = initial(),
                   .solution = solution()},
                  level);
  }

  // One variable of any class, written by matio.
  std::filesystem::path save_variable(const char* name, matio_classes class_type, matio_types type,
                                      std::vector<size_t> dims, int options = 0) const {
    const hdf5::Lock lock;
    size_t count = 1;
    for (const size_t extent : dims) count *= extent;
    std::vector<char> zeros(16 * count);
    mat_complex_split_t parts = {zeros.data(), zeros.data()};
    void* data = (options & MAT_F_COMPLEX) != 0 ? static_cast<void*>(&parts) : zeros.data();
    if (class_type == MAT_C_CELL || class_type == MAT_C_STRUCT) data = nullptr;
    mat_t* file = Mat_CreateVer(path().c_str(), nullptr, MAT_FT_MAT5);
    matvar_t* variable = Mat_VarCreate(name, class_type, type, static_cast<int>(dims.size()),
                                       dims.data(), data, options);
    EXPECT_EQ(Mat_VarWrite(file, variable, MAT_COMPRESSION_NONE), 0);
    Mat_VarFree(variable);
    Mat_Close(file);
    return path();
  }

  // Runs tests/reference/fno_mat.py; 0 on success, 77 when Python lacks a library.
  static int run_reference(const std::string& verb, const std::filesystem::path& argument) {
    const std::string command = fmt::format("/usr/bin/python3 {}/tests/reference/fno_mat.py {} {}",
                                            ROUNDTRIP_SOURCE_DIR, verb, argument.string());
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  std::filesystem::path folder_;
};

}  // namespace roundtrip

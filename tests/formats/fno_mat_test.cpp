#include "roundtrip/formats/fno_mat.h"

#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <thread>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <matio.h>
#include <sys/resource.h>
#include <unistd.h>
#include <zlib.h>

#include "roundtrip/base/atomic_file.h"
#include "roundtrip/base/error.h"
#include "roundtrip/base/random.h"
#include "roundtrip/formats/hdf5.h"

namespace roundtrip {
namespace {

namespace fs = std::filesystem;
using namespace std::string_literals;
using testing::AllOf;
using testing::HasSubstr;

// Sizes and values of tests/reference/fno_mat.py; all lengths differ so that no two axes can swap.
constexpr int64_t kN = 5, kH = 4, kW = 3, kT = 6;

float value(int64_t n, int64_t i, int64_t j, int64_t t) {
  return static_cast<float>(((n * 7 + i) * 11 + j) * 13 + t) / 8;
}
float initial_value(int64_t n, int64_t i, int64_t j) {
  return -static_cast<float>((n * 7 + i) * 11 + j) / 8;
}

std::vector<float> solution_of(TimeAxis time) {
  std::vector<float> values(kN * kH * kW * kT);
  for (int64_t n = 0; n < kN; ++n) {
    for (int64_t i = 0; i < kH; ++i) {
      for (int64_t j = 0; j < kW; ++j) {
        for (int64_t t = 0; t < kT; ++t) {
          const int64_t at = time == TimeAxis::last ? ((n * kH + i) * kW + j) * kT + t
                                                    : ((n * kT + t) * kH + i) * kW + j;
          values[static_cast<size_t>(at)] = value(n, i, j, t);
        }
      }
    }
  }
  return values;
}

std::vector<float> initial() {
  std::vector<float> values;
  for (int64_t n = 0; n < kN; ++n) {
    for (int64_t i = 0; i < kH; ++i) {
      for (int64_t j = 0; j < kW; ++j) values.push_back(initial_value(n, i, j));
    }
  }
  return values;
}

std::vector<double> times() { return {0.25, 0.5, 0.75, 1.0, 1.25, 1.5}; }

// --- A level-5 file put together byte by byte ----------------------------------------------------

struct Builder {
  bool big_endian = false;

  template <class T>
  std::string number(T x) const {
    std::string bytes(sizeof(T), '\0');
    std::memcpy(bytes.data(), &x, sizeof(T));
    if (big_endian) std::reverse(bytes.begin(), bytes.end());
    return bytes;
  }
  std::string header() const {
    std::string text = "MATLAB 5.0 MAT-file, by hand";
    text.resize(124, ' ');
    return text + number(uint16_t{0x0100}) + (big_endian ? "MI" : "IM");
  }
  std::string element(uint32_t type, std::string payload) const {
    std::string bytes = number(type) + number(static_cast<uint32_t>(payload.size())) + payload;
    bytes.resize((bytes.size() + 7) / 8 * 8, '\0');
    return bytes;
  }
  std::string small_element(uint16_t type, std::string payload) const {
    const uint32_t word = static_cast<uint32_t>(payload.size()) << 16 | type;
    payload.resize(4, '\0');
    return number(word) + payload;
  }
  // class 6 is double, 7 single; `values` is a whole element.
  std::string matrix(uint32_t class_index, const std::vector<int32_t>& dims,
                     const std::string& name, const std::string& values) const {
    std::string extents;
    for (const int32_t extent : dims) extents += number(extent);
    const std::string named = name.size() <= 4 ? small_element(1, name) : element(1, name);
    return element(14, element(6, number(class_index) + number(uint32_t{0})) + element(5, extents) +
                           named + values);
  }
  std::string compressed(const std::string& bytes) const {
    std::string packed(compressBound(bytes.size()), '\0');
    uLongf size = packed.size();
    compress(reinterpret_cast<Bytef*>(packed.data()), &size,
             reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
    packed.resize(size);
    // Unlike other elements, compressed ones are not padded.
    return number(uint32_t{15}) + number(static_cast<uint32_t>(packed.size())) + packed;
  }
};

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

std::string initial_payload(const Builder& build) {
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

Elements elements_by(const Builder& build) {
  std::string t;
  for (const double time : times()) t += build.number(static_cast<float>(time));
  return {
      build.matrix(7, {1, kT}, "t", build.element(7, t)),
      build.matrix(7, {kN, kH, kW}, "a", build.element(7, initial_payload(build))),
      build.matrix(7, {kN, kH, kW, kT}, "u",
                   build.element(7, solution_payload([&](float x) { return build.number(x); })))};
}

// u comes last, so that a file cut short anywhere lacks part of it.
std::string file_by_hand(const Builder& build, bool compress = false) {
  const Elements elements = elements_by(build);
  std::string bytes = build.header();
  for (const std::string& element : {elements.t, elements.a, elements.u}) {
    bytes += compress ? build.compressed(element) : element;
  }
  return bytes;
}

class FnoMatTest : public testing::Test {
 public:
  FnoMatTest() : folder_(fs::path(testing::TempDir()) / fmt::format("fno_mat-{}", getpid())) {
    fs::create_directories(folder_);
  }
  ~FnoMatTest() override { fs::remove_all(folder_); }

  fs::path path(const std::string& name = "x.mat") const { return folder_ / name; }

  fs::path save(const std::string& bytes) const {
    fs::remove(path());  // overwriting in place makes some file systems sync, which is slow
    std::ofstream(path(), std::ios::binary) << bytes;
    return path();
  }

  // The message of the Error that opening and reading all gives, "" when there is none.
  static std::string error_of(const fs::path& file) {
    try {
      const FnoMatReader reader(file);
      const int64_t cells = reader.trajectories() * reader.height() * reader.width();
      std::vector<float> values(static_cast<size_t>(cells * reader.frames()));
      reader.read(0, reader.trajectories(), TimeAxis::first, values);
      values.resize(static_cast<size_t>(cells));
      if (reader.has_initial()) reader.read_initial(0, reader.trajectories(), values);
      return "";
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
      return error.what();
    }
  }

  static void expect_reference(const fs::path& file) {
    SCOPED_TRACE(file.filename());
    const FnoMatReader reader(file);
    ASSERT_EQ(reader.trajectories(), kN);
    ASSERT_EQ(reader.height(), kH);
    ASSERT_EQ(reader.width(), kW);
    ASSERT_EQ(reader.frames(), kT);
    EXPECT_EQ(reader.times(), times());
    for (const TimeAxis time : {TimeAxis::last, TimeAxis::first}) {
      std::vector<float> values(kN * kH * kW * kT);
      reader.read(0, kN, time, values);
      EXPECT_EQ(values, solution_of(time));
    }
    ASSERT_TRUE(reader.has_initial());
    std::vector<float> values(kN * kH * kW);
    reader.read_initial(0, kN, values);
    EXPECT_EQ(values, initial());
  }

  // Every window of trajectories equals that part of the whole.
  static void expect_windows(const fs::path& file) {
    const FnoMatReader reader(file);
    const std::vector<float> whole = solution_of(TimeAxis::first);
    const std::vector<float> starts = initial();
    constexpr int64_t kFrame = kH * kW;
    for (int64_t first = 0; first < kN; ++first) {
      for (int64_t count = 0; first + count <= kN; ++count) {
        std::vector<float> values(static_cast<size_t>(count * kT * kFrame));
        reader.read(first, count, TimeAxis::first, values);
        EXPECT_TRUE(std::equal(values.begin(), values.end(), whole.begin() + first * kT * kFrame));
        values.resize(static_cast<size_t>(count * kFrame));
        reader.read_initial(first, count, values);
        EXPECT_TRUE(std::equal(values.begin(), values.end(), starts.begin() + first * kFrame));
      }
    }
  }

  FnoMat reference_data(const std::vector<float>& solution, const std::vector<float>& start) const {
    return {.trajectories = kN,
            .height = kH,
            .width = kW,
            .times = times(),
            .initial = start,
            .solution = solution};
  }

  // One variable of any class, written by matio.
  fs::path save_variable(const char* name, matio_classes class_type, matio_types type,
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
  static int run_reference(const std::string& verb, const fs::path& argument) {
    const std::string command = fmt::format("/usr/bin/python3 {}/tests/reference/fno_mat.py {} {}",
                                            ROUNDTRIP_SOURCE_DIR, verb, argument.string());
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  fs::path folder_;
};

TEST_F(FnoMatTest, ReadsAFileBuiltByHand) {
  for (const bool big_endian : {false, true}) {
    for (const bool compress : {false, true}) {
      save(file_by_hand({big_endian}, compress));
      expect_reference(path());
      expect_windows(path());
    }
  }
}

// MATLAB stores whole numbers in the smallest type that holds them, whatever the array's class.
TEST_F(FnoMatTest, ReadsEveryStorageType) {
  const auto times_eight = [](float x) { return std::lround(8 * x); };
  for (const bool big_endian : {false, true}) {
    const Builder build{big_endian};
    const std::vector<std::pair<uint32_t, std::string>> stored = {
        {3, solution_payload([&](float x) { return build.number<int16_t>(times_eight(x)); })},
        {4, solution_payload([&](float x) { return build.number<uint16_t>(times_eight(x)); })},
        {5, solution_payload([&](float x) { return build.number<int32_t>(times_eight(x)); })},
        {6, solution_payload([&](float x) { return build.number<uint32_t>(times_eight(x)); })},
        {9, solution_payload([&](float x) { return build.number<double>(8 * x); })},
        {12, solution_payload([&](float x) { return build.number<int64_t>(times_eight(x)); })},
        {13, solution_payload([&](float x) { return build.number<uint64_t>(times_eight(x)); })}};
    const std::string t = build.matrix(6, {kT, 1}, "t", build.element(2, "\1\2\3\4\5\xff"));
    for (const auto& [type, payload] : stored) {
      SCOPED_TRACE(type);
      save(build.header() + t +
           build.matrix(6, {kN, kH, kW, kT}, "u", build.element(type, payload)));
      const FnoMatReader reader(path());
      EXPECT_EQ(reader.times(), (std::vector<double>{1, 2, 3, 4, 5, 255}));
      EXPECT_FALSE(reader.has_initial());
      std::vector<float> values(kN * kH * kW * kT);
      reader.read(0, kN, TimeAxis::last, values);
      for (float& x : values) x /= 8;
      EXPECT_EQ(values, solution_of(TimeAxis::last));
    }
  }
}

// Values and times of up to four bytes stand in the tag itself; absent times count from 1.
TEST_F(FnoMatTest, ReadsSmallElements) {
  const Builder build;
  const std::string u =
      build.matrix(7, {1, 1, 1, 1}, "u", build.small_element(7, build.number(2.5F)));
  save(build.header() + u);
  const FnoMatReader reader(path());
  float found = 0;
  reader.read(0, 1, TimeAxis::last, {&found, 1});
  EXPECT_EQ(found, 2.5F);
  EXPECT_EQ(reader.times(), std::vector<double>{1});
  save(build.header() + build.matrix(6, {1, 1}, "t", build.small_element(2, "\x07")) + u);
  EXPECT_EQ(FnoMatReader(path()).times(), std::vector<double>{7});
}

TEST_F(FnoMatTest, DoublesAreRoundedToNearest) {
  const Builder build;
  const std::string payload =
      build.number(0.1) + build.number(1e300) + build.number(-1e-50) + build.number(std::nan(""));
  save(build.header() + build.matrix(6, {4, 1, 1, 1}, "u", build.element(9, payload)));
  std::vector<float> values(4);
  FnoMatReader(path()).read(0, 4, TimeAxis::last, values);
  EXPECT_EQ(values[0], 0.1F);
  EXPECT_EQ(values[1], std::numeric_limits<float>::infinity());
  EXPECT_EQ(values[2], 0.0F);
  EXPECT_TRUE(std::isnan(values[3]));
}

TEST_F(FnoMatTest, WritesAndReadsBackEveryLevel) {
  const std::vector<float> start = initial();
  for (const MatLevel level : {MatLevel::level5, MatLevel::level5_compressed, MatLevel::level73}) {
    for (const TimeAxis time : {TimeAxis::last, TimeAxis::first}) {
      const std::vector<float> solution = solution_of(time);
      FnoMat data = reference_data(solution, start);
      data.time = time;
      write_fno_mat(path(), data, level);
      expect_reference(path());
      expect_windows(path());
    }
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 1);  // no temporary file is left
}

// What we write at level 5 is, byte for byte, the file built by hand behind the header's text.
TEST_F(FnoMatTest, WritesTheExpectedBytes) {
  const std::vector<float> solution = solution_of(TimeAxis::last);
  const std::vector<float> start = initial();
  write_fno_mat(path(), reference_data(solution, start), MatLevel::level5);
  const Elements elements = elements_by({});
  const std::string written = read_file(path());
  EXPECT_TRUE(written.starts_with("MATLAB 5.0 MAT-file, Created by: roundtrip "));
  EXPECT_EQ(written.substr(124, 4), "\0\1IM"s);
  EXPECT_EQ(written.substr(128), elements.a + elements.u + elements.t);
}

// HDF5 would put the time of writing, in seconds, into its objects.
TEST_F(FnoMatTest, TheSameDataAreTheSameBytesLater) {
  const std::vector<float> solution = solution_of(TimeAxis::last);
  const std::vector<float> start = initial();
  const auto bytes = [&](MatLevel level) {
    write_fno_mat(path(), reference_data(solution, start), level);
    return read_file(path());
  };
  const std::vector<MatLevel> levels = {MatLevel::level5, MatLevel::level5_compressed,
                                        MatLevel::level73};
  std::vector<std::string> first;
  for (const MatLevel level : levels) first.push_back(bytes(level));
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));
  for (size_t i = 0; i < levels.size(); ++i) EXPECT_TRUE(bytes(levels[i]) == first[i]) << i;
}

// A limit on file sizes fails the same calls as a full disk.
TEST_F(FnoMatTest, FullDiskIsOneErrorAndLeavesNothing) {
  const std::vector<float> solution = solution_of(TimeAxis::last);
  const std::vector<float> start = initial();
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  for (const MatLevel level : {MatLevel::level5, MatLevel::level5_compressed, MatLevel::level73}) {
    SCOPED_TRACE(static_cast<int>(level));
    write_fno_mat(path(), reference_data(solution, start), level);
    const auto size = fs::file_size(path());
    fs::remove(path());
    auto* const handler = std::signal(SIGXFSZ, SIG_IGN);
    std::vector<std::string> messages;
    for (rlim_t limit = 0; limit < size; limit += 61) {
      const rlimit less{limit, before.rlim_max};
      setrlimit(RLIMIT_FSIZE, &less);
      try {
        write_fno_mat(path(), reference_data(solution, start), level);
        messages.emplace_back("no error");
      } catch (const Error& error) {
        messages.emplace_back(error.what());
      }
      setrlimit(RLIMIT_FSIZE, &before);
    }
    std::signal(SIGXFSZ, handler);
    for (const std::string& message : messages) {
      EXPECT_THAT(message, AllOf(HasSubstr("x.mat"), HasSubstr("cannot")));
    }
    EXPECT_TRUE(fs::is_empty(folder_));
  }
}

// matio is another implementation of both levels.
TEST_F(FnoMatTest, MatioReadsOurFiles) {
  const std::vector<float> solution = solution_of(TimeAxis::last);
  const std::vector<float> start = initial();
  for (const MatLevel level : {MatLevel::level5, MatLevel::level5_compressed, MatLevel::level73}) {
    SCOPED_TRACE(static_cast<int>(level));
    write_fno_mat(path(), reference_data(solution, start), level);
    const hdf5::Lock lock;
    mat_t* file = Mat_Open(path().c_str(), MAT_ACC_RDONLY);
    ASSERT_NE(file, nullptr);
    matvar_t* u = Mat_VarRead(file, "u");
    ASSERT_NE(u, nullptr);
    EXPECT_EQ(u->class_type, MAT_C_SINGLE);
    ASSERT_EQ(u->rank, 4);
    EXPECT_EQ(std::vector<size_t>(u->dims, u->dims + 4), (std::vector<size_t>{kN, kH, kW, kT}));
    const auto* values = static_cast<const float*>(u->data);
    EXPECT_EQ(values[2 + kN * (3 + kH * (1 + kW * 4))], value(2, 3, 1, 4));
    EXPECT_EQ(values[kN * kH * kW * kT - 1], value(kN - 1, kH - 1, kW - 1, kT - 1));
    Mat_VarFree(u);
    Mat_Close(file);
  }
}

TEST_F(FnoMatTest, ReadsFilesOfScipyAndH5py) {
  const int status = run_reference("write", folder_);
  if (status == 77) GTEST_SKIP() << "/usr/bin/python3 has no SciPy, h5py or NumPy";
  ASSERT_EQ(status, 0);
  int64_t files = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_)) {
    expect_reference(entry.path());
    expect_windows(entry.path());
    ++files;
  }
  EXPECT_EQ(files, 11);
}

TEST_F(FnoMatTest, ScipyAndH5pyReadOurFiles) {
  const std::vector<float> solution = solution_of(TimeAxis::last);
  const std::vector<float> start = initial();
  for (const MatLevel level : {MatLevel::level5, MatLevel::level5_compressed, MatLevel::level73}) {
    write_fno_mat(path(), reference_data(solution, start), level);
    const int status = run_reference("check", path());
    if (status == 77) GTEST_SKIP() << "/usr/bin/python3 has no SciPy, h5py or NumPy";
    EXPECT_EQ(status, 0) << static_cast<int>(level);
  }
}

// Columns that share a piece of reading (3000 values) and columns longer than one (300,000).
TEST_F(FnoMatTest, ReadsWindowsOfLongColumns) {
  for (const auto& [count, size] : {std::pair<int64_t, int64_t>{3000, 12}, {300'000, 1}}) {
    constexpr int64_t kFrames = 3;
    std::vector<float> solution(static_cast<size_t>(count * kFrames * size * size));
    for (size_t k = 0; k < solution.size(); ++k) solution[k] = static_cast<float>(k % 16'777'213);
    const FnoMat data{.trajectories = count,
                      .height = size,
                      .width = size,
                      .times = {1, 2, 3},
                      .initial = {},
                      .solution = solution,
                      .time = TimeAxis::first};
    for (const MatLevel level :
         {MatLevel::level5, MatLevel::level5_compressed, MatLevel::level73}) {
      write_fno_mat(path(), data, level);
      const FnoMatReader reader(path());
      const int64_t length = kFrames * size * size;
      for (const auto& [first, some] :
           {std::pair<int64_t, int64_t>{0, 7}, {count - 33, 33}, {count / 2, 1}, {0, count}}) {
        std::vector<float> values(static_cast<size_t>(some * length));
        reader.read(first, some, TimeAxis::first, values);
        EXPECT_TRUE(std::equal(values.begin(), values.end(), solution.begin() + first * length));
      }
    }
  }
}

TEST_F(FnoMatTest, RefusesOtherVariablesAndSaysWhatIsThere) {
  EXPECT_THAT(
      error_of(save_variable("v", MAT_C_SINGLE, MAT_T_SINGLE, {2, 3})),
      HasSubstr("expected variable u, single or double (N, H, W, T), found v single (2, 3)"));
  EXPECT_THAT(error_of(save_variable("u", MAT_C_SINGLE, MAT_T_SINGLE, {2, 3, 4})),
              HasSubstr("found u single (2, 3, 4)"));
  EXPECT_THAT(error_of(save_variable("u", MAT_C_DOUBLE, MAT_T_DOUBLE, {2, 3, 4, 5, 6})),
              HasSubstr("found u double (2, 3, 4, 5, 6)"));
  EXPECT_THAT(error_of(save_variable("u", MAT_C_INT16, MAT_T_INT16, {2, 3, 4, 5})),
              HasSubstr("found u int16 (2, 3, 4, 5)"));
  EXPECT_THAT(error_of(save_variable("u", MAT_C_CHAR, MAT_T_UINT8, {1, 5})),
              HasSubstr("found u char (1, 5)"));
  EXPECT_THAT(error_of(save_variable("u", MAT_C_CELL, MAT_T_CELL, {2, 3, 4, 5})),
              HasSubstr("found u cell (2, 3, 4, 5)"));
  EXPECT_THAT(error_of(save_variable("u", MAT_C_DOUBLE, MAT_T_DOUBLE, {2, 3, 4, 5}, MAT_F_COMPLEX)),
              HasSubstr("found u complex double (2, 3, 4, 5)"));
  EXPECT_THAT(error_of(save_variable("u", MAT_C_SINGLE, MAT_T_SINGLE, {2, 0, 4, 5})),
              HasSubstr("found u single (2, 0, 4, 5)"));
  EXPECT_THAT(error_of(save(Builder().header())), HasSubstr("found nothing"));
}

TEST_F(FnoMatTest, RefusesArraysThatDoNotMatch) {
  const Builder build;
  const std::string head = build.header() + elements_by(build).u;
  const auto zeros = [&](size_t count) { return build.element(7, std::string(4 * count, '\0')); };
  EXPECT_THAT(
      error_of(save(head + build.matrix(7, {kN + 1, kH, kW}, "a", zeros(6 * 4 * 3)))),
      HasSubstr("expected variable a, single or double (5, 4, 3) like u, found a single (6"));
  EXPECT_THAT(error_of(save(head + build.matrix(7, {kN, kH}, "a", zeros(20)))),
              HasSubstr("found a single (5, 4)"));
  EXPECT_THAT(error_of(save(head + build.matrix(7, {1, kT + 1}, "t", zeros(7)))),
              HasSubstr("expected variable t, the 6 times of u, found t single (1, 7)"));
  EXPECT_THAT(error_of(save(head + build.matrix(7, {2, 3}, "t", zeros(6)))),
              HasSubstr("found t single (2, 3)"));
  EXPECT_THAT(error_of(save(head + build.matrix(7, {1, kT}, "t", zeros(6)))),
              HasSubstr("times in variable t that increase, found 0, 0"));
  EXPECT_THAT(error_of(save(head + elements_by(build).u)), HasSubstr("a second variable called u"));
}

TEST_F(FnoMatTest, RefusesLyingSizes) {
  const Builder build;
  const std::string four = build.element(7, std::string(16, '\0'));
  const std::string head = build.header();
  EXPECT_THAT(error_of(save(head + build.matrix(7, {4, 1, 1, 2}, "u", four))),
              HasSubstr("u single (4, 1, 1, 2): found 16 bytes of values of 4 bytes each"));
  // 2^62 * 4 values of 4 bytes: 16 modulo 2^64.
  const int32_t large = 1 << 30;
  EXPECT_THAT(error_of(save(head + build.matrix(7, {large, large, 4, 1, 1}, "u", four))),
              HasSubstr("found 16 bytes"));
  EXPECT_THAT(error_of(save(head + build.matrix(7, {-4, -1, 1, 1}, "u", four))),
              HasSubstr("a dimension of -4"));
  EXPECT_THAT(error_of(save(head + build.matrix(7, {4}, "u", four))),
              HasSubstr("expected two or more dimensions"));
  EXPECT_THAT(error_of(save(head + build.matrix(7, std::vector<int32_t>(33, 1), "u", four))),
              HasSubstr("at most 128 bytes"));
  EXPECT_THAT(error_of(save(head + build.matrix(7, {4, 1, 1, 1}, std::string(2000, 'n'), four))),
              HasSubstr("at most 1024 bytes"));
  EXPECT_THAT(error_of(save(head + build.matrix(99, {4, 1, 1, 1}, "u", four))),
              HasSubstr("expected a class from 1 to 17, found 99"));
  EXPECT_THAT(error_of(save(head + build.matrix(7, {4, 1, 1, 1}, "u", build.element(14, "")))),
              HasSubstr("expected numbers, found storage type 14"));
  // The outer length leaves no room for the values the inner one promises.
  std::string cut = build.matrix(7, {4, 1, 1, 1}, "u", four);
  cut.resize(cut.size() - 8);
  cut.replace(4, 4, build.number(static_cast<uint32_t>(cut.size() - 8)));
  EXPECT_THAT(error_of(save(head + cut)), HasSubstr("expected 16 bytes"));
  // A few compressed bytes cannot hold 200 MB.
  const std::string bomb = build.matrix(7, {50'000'000, 1, 1, 1}, "u", "") + build.number(7) +
                           build.number(uint32_t{200'000'000});
  std::string inner = bomb;
  inner.replace(4, 4, build.number(uint32_t{200'000'064}));
  EXPECT_THAT(error_of(save(head + build.compressed(inner))),
              HasSubstr("expected 200000064 bytes"));
}

TEST_F(FnoMatTest, RefusesOtherFiles) {
  EXPECT_THAT(error_of(folder_), HasSubstr("found no regular file"));
  EXPECT_THAT(error_of(path("absent.mat")), HasSubstr("found nothing"));
  EXPECT_THAT(error_of(save("")), HasSubstr("expected a header of 128 bytes, found 0"));
  EXPECT_THAT(error_of(save(std::string(4096, 'x'))), HasSubstr("expected the mark MI or IM"));
  std::string version = file_by_hand({});
  version[125] = '\2';
  EXPECT_THAT(error_of(save(version)), HasSubstr("expected version 0x0100 at byte 124"));
  EXPECT_THAT(error_of(save(Builder().header() + Builder().element(9, "12345678"))),
              HasSubstr("expected an array (type 14 or 15), found type 9"));
}

TEST_F(FnoMatTest, EveryTruncationIsAnError) {
  for (const bool compress : {false, true}) {
    const std::string whole = file_by_hand({}, compress);
    ASSERT_EQ(error_of(save(whole)), "");
    for (size_t size = 0; size < whole.size(); ++size) {
      ASSERT_NE(error_of(save(whole.substr(0, size))), "") << size;
    }
  }
  const std::vector<float> solution = solution_of(TimeAxis::last);
  write_fno_mat(path("whole.mat"), reference_data(solution, {}), MatLevel::level73);
  const std::string whole = read_file(path("whole.mat"));
  for (size_t size = 0; size < whole.size(); size += 37) {
    ASSERT_NE(error_of(save(whole.substr(0, size))), "") << size;
  }
}

// The checksum of the compressed data tells when values were changed.
TEST_F(FnoMatTest, ADamagedChecksumIsAnError) {
  std::string bytes = file_by_hand({}, /*compress=*/true);
  bytes.back() ^= 1;
  EXPECT_THAT(error_of(save(bytes)), HasSubstr("its compressed data are not valid"));
}

// A changed byte reads or is an Error; says how many were Errors.
uint64_t errors_of_changes(FnoMatTest& test, const std::string& whole, uint64_t trials) {
  const RandomStream random(1, "fno_mat.flips");
  uint64_t errors = 0;
  for (uint64_t trial = 0; trial < trials; ++trial) {
    std::string bytes = whole;
    const uint64_t changes = 1 + random.bits(100 * trial) % 4;
    for (uint64_t c = 0; c < changes; ++c) {
      const uint64_t at = random.bits(100 * trial + 1 + 2 * c) % bytes.size();
      // Half of them small numbers: lengths and types that nearly fit.
      const uint64_t any = random.bits(100 * trial + 2 + 2 * c);
      bytes[at] = static_cast<char>(any % 2 == 0 ? any >> 8 : (any >> 8) % 20);
    }
    errors += test.error_of(test.save(bytes)).empty() ? 0 : 1;
  }
  return errors;
}

TEST_F(FnoMatTest, RandomChangesNeverCrash) {
  EXPECT_GT(errors_of_changes(*this, file_by_hand({}), 1500), 100);
  EXPECT_GT(errors_of_changes(*this, file_by_hand({}, /*compress=*/true), 1500), 1000);
}

// A level-7.3 file as MATLAB writes large arrays: in compressed chunks.
void write_chunked(const fs::path& path) {
  const hdf5::Lock lock;
  const hdf5::Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  const hsize_t extents[] = {kT, kW, kH, kN}, chunk[] = {2, 2, 2, 3};
  const hdf5::Handle space(H5Screate_simple(4, extents, nullptr));
  const hdf5::Handle creation(H5Pcreate(H5P_DATASET_CREATE));
  H5Pset_chunk(creation.get(), 4, chunk);
  H5Pset_shuffle(creation.get());
  H5Pset_deflate(creation.get(), 3);
  const hdf5::Handle dataset(H5Dcreate2(file.get(), "u", H5T_IEEE_F32LE, space.get(), H5P_DEFAULT,
                                        creation.get(), H5P_DEFAULT));
  const std::string values = solution_payload([](float x) { return Builder().number(x); });
  ASSERT_GE(H5Dwrite(dataset.get(), H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
            0);
}

TEST_F(FnoMatTest, ReadsChunks) {
  write_chunked(path());
  const FnoMatReader reader(path());
  std::vector<float> values(kN * kH * kW * kT);
  reader.read(0, kN, TimeAxis::last, values);
  EXPECT_EQ(values, solution_of(TimeAxis::last));
}

class FnoMatDamage : public FnoMatTest {
 public:
  void survive_changes(uint64_t trials) {
    const std::vector<float> solution = solution_of(TimeAxis::last);
    write_fno_mat(path("plain.mat"), reference_data(solution, {}), MatLevel::level73);
    write_chunked(path("chunked.mat"));
    for (const char* name : {"plain.mat", "chunked.mat"}) {
      EXPECT_GT(errors_of_changes(*this, read_file(path(name)), trials), trials / 20) << name;
    }
  }
};

TEST_F(FnoMatDamage, RandomChangesOfHdf5NeverCrash) { survive_changes(150); }
TEST_F(FnoMatDamage, SlowRandomChangesOfHdf5NeverCrash) { survive_changes(10'000); }

// HDF5 dimensions whose product overflows, or that no data stands behind, are refused at opening.
TEST_F(FnoMatTest, RefusesHugeHdf5Dimensions) {
  for (const hsize_t extent : {hsize_t{1} << 40, hsize_t{1} << 16}) {
    {
      const hdf5::Lock lock;
      const hdf5::Handle file(H5Fcreate(path().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
      const hsize_t extents[] = {1 << 10, 1 << 10, 1 << 10, extent};
      const hsize_t chunk[] = {1, 1, 1, 64};
      const hdf5::Handle creation(H5Pcreate(H5P_DATASET_CREATE));
      H5Pset_chunk(creation.get(), 4, chunk);
      const hdf5::Handle space(H5Screate_simple(4, extents, nullptr));
      const hdf5::Handle dataset(H5Dcreate2(file.get(), "u", H5T_IEEE_F32LE, space.get(),
                                            H5P_DEFAULT, creation.get(), H5P_DEFAULT));
      ASSERT_TRUE(dataset);
    }
    EXPECT_THAT(error_of(path()), HasSubstr("expected its values in the file, found 0 bytes"));
  }
}

TEST_F(FnoMatTest, WrongWindowsAreBugs) {
  save(file_by_hand({}));
  const FnoMatReader reader(path());
  std::vector<float> values(kH * kW * kT);
  EXPECT_THROW(reader.read(kN, 1, TimeAxis::last, values), Bug);
  EXPECT_THROW(reader.read(-1, 1, TimeAxis::last, values), Bug);
  EXPECT_THROW(reader.read(0, 2, TimeAxis::last, values), Bug);
  EXPECT_THROW(reader.read_initial(0, 1, values), Bug);
}

}  // namespace
}  // namespace roundtrip

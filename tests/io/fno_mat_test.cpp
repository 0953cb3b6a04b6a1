#include "roundtrip/io/fno_mat.h"

#include <gmock/gmock.h>

#include "tests/io/fno_mat_files.h"

namespace roundtrip {
namespace {

namespace fs = std::filesystem;
using namespace std::string_literals;

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
      reader.read(0, kN, values);
      for (float& x : values) x /= 8;
      EXPECT_EQ(values, solution());
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
  reader.read(0, 1, {&found, 1});
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
  FnoMatReader(path()).read(0, 4, values);
  EXPECT_EQ(values[0], 0.1F);
  EXPECT_EQ(values[1], std::numeric_limits<float>::infinity());
  EXPECT_EQ(values[2], 0.0F);
  EXPECT_TRUE(std::isnan(values[3]));
}

constexpr MatLevel kLevels[] = {MatLevel::level5, MatLevel::level5_compressed, MatLevel::level73};

TEST_F(FnoMatTest, ReadsEveryLevel) {
  for (const MatLevel level : kLevels) {
    write_reference(path(), level);
    expect_reference(path());
    expect_windows(path());
  }
}

// The files these tests write are MAT files: matio is another implementation of both levels.
TEST_F(FnoMatTest, MatioReadsTheTestsFiles) {
  for (const MatLevel level : kLevels) {
    SCOPED_TRACE(static_cast<int>(level));
    write_reference(path(), level);
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

TEST_F(FnoMatTest, ScipyAndH5pyReadTheTestsFiles) {
  for (const MatLevel level : kLevels) {
    write_reference(path(), level);
    const int status = run_reference("check", path());
    if (status == 77) GTEST_SKIP() << "/usr/bin/python3 has no SciPy, h5py or NumPy";
    EXPECT_EQ(status, 0) << static_cast<int>(level);
  }
}

// Columns that share a piece of reading (3000 values) and columns longer than one (300,000).
TEST_F(FnoMatTest, ReadsWindowsOfLongColumns) {
  for (const auto& [count, size] : {std::pair<int64_t, int64_t>{3000, 12}, {300'000, 1}}) {
    constexpr int64_t kFrames = 3;
    std::vector<float> written(static_cast<size_t>(count * kFrames * size * size));
    for (size_t k = 0; k < written.size(); ++k) written[k] = static_cast<float>(k % 16'777'213);
    const FnoMat data{.trajectories = count,
                      .height = size,
                      .width = size,
                      .times = {1, 2, 3},
                      .initial = {},
                      .solution = written};
    for (const MatLevel level : kLevels) {
      write_fno_mat(path(), data, level);
      const FnoMatReader reader(path());
      const int64_t length = kFrames * size * size;
      for (const auto& [first, some] :
           {std::pair<int64_t, int64_t>{0, 7}, {count - 33, 33}, {count / 2, 1}, {0, count}}) {
        std::vector<float> values(static_cast<size_t>(some * length));
        reader.read(first, some, values);
        EXPECT_TRUE(std::equal(values.begin(), values.end(), written.begin() + first * length));
      }
    }
  }
}

}  // namespace
}  // namespace roundtrip

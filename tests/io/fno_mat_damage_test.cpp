#include <csignal>

#include <gmock/gmock.h>

#include "roundtrip/base/atomic_file.h"
#include "roundtrip/base/interrupt.h"
#include "roundtrip/base/random.h"
#include "roundtrip/io/fno_mat.h"
#include "tests/io/fno_mat_files.h"

namespace roundtrip {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

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
              HasSubstr("found u cell (2, 3, 4, 5); save the arrays themselves so"));
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
  write_reference(path("whole.mat"), MatLevel::level73);
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
  reader.read(0, kN, values);
  EXPECT_EQ(values, solution());
}

class FnoMatDamage : public FnoMatTest {
 public:
  void survive_changes(uint64_t trials) {
    write_reference(path("plain.mat"), MatLevel::level73);
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
  EXPECT_THROW(reader.read(kN, 1, values), Bug);
  EXPECT_THROW(reader.read(-1, 1, values), Bug);
  EXPECT_THROW(reader.read(0, 2, values), Bug);
  EXPECT_THROW(reader.read_initial(0, 1, values), Bug);
}

// Values behind a link are not in this file; neither are those of a link that leads to itself.
TEST_F(FnoMatTest, LinksAreNamed) {
  const auto relink = [&](const auto& link) {
    write_reference(path(), MatLevel::level73);
    const hdf5::Lock lock;
    const hdf5::Handle file(H5Fopen(path().c_str(), H5F_ACC_RDWR, H5P_DEFAULT));
    ASSERT_GE(link(file.get()), 0);
  };
  write_reference(path("other.mat"), MatLevel::level73);
  relink([](hid_t root) {
    H5Ldelete(root, "u", H5P_DEFAULT);
    return H5Lcreate_external("other.mat", "/u", root, "u", H5P_DEFAULT, H5P_DEFAULT);
  });
  EXPECT_THAT(error_of(path()), HasSubstr("found u link into another file; save the arrays"));
  relink([](hid_t root) {
    H5Ldelete(root, "u", H5P_DEFAULT);
    return H5Lcreate_soft("/u", root, "u", H5P_DEFAULT, H5P_DEFAULT);
  });
  EXPECT_THAT(error_of(path()), HasSubstr("found u link to nothing; save the arrays"));
  relink([](hid_t root) {
    return H5Lcreate_external("other.mat", "/u", root, "more", H5P_DEFAULT, H5P_DEFAULT);
  });
  EXPECT_EQ(error_of(path()), "");
}

// Names are not compared pair by pair, and a signal ends the walk over them.
TEST_F(FnoMatTest, ManyVariablesAndASignal) {
  const Builder build;
  std::string bytes = build.header();
  for (int i = 0; i < 50'000; ++i) {
    bytes += build.matrix(7, {0, 0}, fmt::format("{:04x}", i), build.element(7, ""));
  }
  bytes += elements_by(build).u;
  EXPECT_EQ(error_of(save(bytes)), "");
  catch_interrupts();
  std::raise(SIGINT);
  EXPECT_THROW(FnoMatReader{path()}, Interrupted);
  catch_interrupts();
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

}  // namespace
}  // namespace roundtrip

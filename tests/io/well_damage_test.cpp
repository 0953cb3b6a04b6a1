#include <array>
#include <fstream>

#include "roundtrip/base/random.h"
#include "roundtrip/io/well_reader.h"
#include "tests/io/well_example.h"
#include "tests/support/well_chunks.h"

// Damaged files: cut short, bytes changed. Reading one ends in an Error or gives
// a header that holds together; it does not crash, hang or throw anything else.

namespace roundtrip {
namespace {

/// The same content in the oldest file format, h5py's default: groups in B-trees, no checksums.
void copy_in_old_format(const std::filesystem::path& from, const std::filesystem::path& to) {
  const hdf5::Lock lock;
  const auto source = hdf5::Object::open_file(from);
  const hdf5::Handle target(H5Fcreate(to.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  hid_t root = target.get();
  ASSERT_GE(H5Aiterate2(source.id(), H5_INDEX_NAME, H5_ITER_INC, nullptr, copy_attribute, &root),
            0);
  for (const std::string& name : source.children()) {
    ASSERT_GE(H5Ocopy(source.id(), name.c_str(), root, name.c_str(), H5P_DEFAULT, H5P_DEFAULT), 0);
  }
}

constexpr std::array kFiles{"ours.hdf5", "old.hdf5", "chunked.hdf5", "squeezed.hdf5"};

class WellDamageTest : public WellTest {
 protected:
  /// The example as we write it, in the format h5py writes, and that in chunks plain and squeezed.
  WellDamageTest() {
    write_example(file("ours.hdf5"));
    copy_in_old_format(file("ours.hdf5"), file("old.hdf5"));
    const std::vector<std::string> fields = {"t0_fields/density", "t1_fields/velocity",
                                             "t2_fields/stress"};
    std::filesystem::copy_file(file("old.hdf5"), file("chunked.hdf5"));
    store_in_chunks(file("chunked.hdf5"), fields, {});
    std::filesystem::copy_file(file("old.hdf5"), file("squeezed.hdf5"));
    store_in_chunks(file("squeezed.hdf5"), fields, {.shuffle = true, .deflate = true});
  }

  /// Reads header and all windows of these bytes as a file; whether that went without an Error.
  bool reads(std::string_view bytes) const {
    std::filesystem::remove(file("damaged.hdf5"));
    std::ofstream(file("damaged.hdf5"), std::ios::binary) << bytes;
    try {
      const WellReader reader(file("damaged.hdf5"));
      const WellHeader& header = reader.header();
      std::vector<float> window(static_cast<size_t>(header.frame_size()));
      for (int64_t b = 0; b < std::min<int64_t>(header.n_trajectories, 3); ++b) {
        for (int64_t t = 0; t < std::min<int64_t>(header.frames(), 4); ++t) {
          reader.read_window(b, t, 1, window);
        }
        EXPECT_EQ(reader.times(b).size(), header.time.coordinates.size());
      }
      return true;
    } catch (const Error&) {
      return false;
    }
  }

  void expect_cuts_refused(size_t step) const {
    for (const char* name : kFiles) {
      const std::string bytes = read_file(file(name));
      EXPECT_TRUE(reads(bytes));
      for (size_t length = 0; length < bytes.size(); length += step) {
        EXPECT_FALSE(reads(std::string_view(bytes).substr(0, length))) << name << " at " << length;
      }
      EXPECT_FALSE(reads(std::string_view(bytes).substr(0, bytes.size() - 1)));
    }
  }

  /// One to three random bytes of each file are given random values.
  void survive_changes(uint64_t files) const {
    for (const char* name : kFiles) {
      const std::string bytes = read_file(file(name));
      const RandomStream random(1, name);
      uint64_t refused = 0;
      for (uint64_t i = 0; i < files; ++i) {
        std::string damaged = bytes;
        for (uint64_t change = 0; change <= i % 3; ++change) {
          const uint64_t draw = i * 8 + change * 2;
          const double place = random.uniform(draw) * static_cast<double>(bytes.size());
          damaged[static_cast<size_t>(place)] = static_cast<char>(random.uniform(draw + 1) * 256);
        }
        refused += reads(damaged) ? 0 : 1;
      }
      // Most of so small a file is header, where a change shows.
      EXPECT_GT(refused, files / 3) << name;
    }
  }
};

TEST_F(WellDamageTest, FilesCutShort) { expect_cuts_refused(/*step=*/173); }
TEST_F(WellDamageTest, SlowFilesCutShortAnywhere) { expect_cuts_refused(/*step=*/7); }

TEST_F(WellDamageTest, BytesChanged) { survive_changes(/*files=*/60); }
TEST_F(WellDamageTest, SlowBytesChangedAnywhere) { survive_changes(/*files=*/3000); }

TEST_F(WellDamageTest, WhatIsNoHdf5FileIsNamedInOneLine) {
  const auto message = [&](const std::filesystem::path& path) -> std::string {
    try {
      const WellReader reader(path);
      return "no error";
    } catch (const Error& error) {
      return error.what();
    }
  };
  std::ofstream(file("text.hdf5")) << "mean: 1\n";
  EXPECT_EQ(message(file("text.hdf5")),
            fmt::format("[hdf5] {}: expected an HDF5 file, found one that cannot be opened (file "
                        "signature not found); download or generate it again",
                        file("text.hdf5").string()));
  EXPECT_EQ(message(file("none.hdf5")),
            fmt::format("[hdf5] {}: expected an HDF5 file, found nothing; check the path",
                        file("none.hdf5").string()));
  EXPECT_EQ(message(folder()),
            fmt::format("[hdf5] {}: expected an HDF5 file, found no regular file; check the path",
                        folder().string()));
}

}  // namespace
}  // namespace roundtrip

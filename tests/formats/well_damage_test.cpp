#include <array>
#include <fstream>

#include "roundtrip/base/random.h"
#include "roundtrip/formats/hdf5_write.h"
#include "roundtrip/formats/well_reader.h"
#include "tests/formats/well_example.h"

// Damaged files: cut short, bytes changed. Reading one ends in an Error or gives
// a header that holds together; it does not crash, hang or throw anything else.

namespace roundtrip {
namespace {

herr_t copy_attribute(hid_t from, const char* name, const H5A_info_t*, void* into) {
  const hdf5::Handle old(H5Aopen(from, name, H5P_DEFAULT));
  const hdf5::Handle type(H5Aget_type(old.get())), space(H5Aget_space(old.get()));
  std::vector<char> value(1 + static_cast<size_t>(H5Sget_simple_extent_npoints(space.get())) *
                                  H5Tget_size(type.get()));
  const hdf5::Handle copy(H5Acreate2(*static_cast<hid_t*>(into), name, type.get(), space.get(),
                                     H5P_DEFAULT, H5P_DEFAULT));
  const bool good = H5Aread(old.get(), type.get(), value.data()) >= 0 &&
                    H5Awrite(copy.get(), type.get(), value.data()) >= 0;
  if (H5Tis_variable_str(type.get()) > 0) {
    H5Dvlen_reclaim(type.get(), space.get(), H5P_DEFAULT, value.data());
  }
  return good ? 0 : -1;
}

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

/// The same content with the fields in compressed chunks.
void copy_in_chunks(const std::filesystem::path& from, const std::filesystem::path& to) {
  std::filesystem::copy_file(from, to);
  const hdf5::Lock lock;
  const hdf5::Handle file(H5Fopen(to.c_str(), H5F_ACC_RDWR, H5P_DEFAULT));
  for (const char* name : {"t0_fields/density", "t1_fields/velocity", "t2_fields/stress"}) {
    const hdf5::Handle old(H5Dopen2(file.get(), name, H5P_DEFAULT));
    const hdf5::Handle space(H5Dget_space(old.get()));
    std::vector<hsize_t> chunk(static_cast<size_t>(H5Sget_simple_extent_ndims(space.get())));
    H5Sget_simple_extent_dims(space.get(), chunk.data(), nullptr);
    std::vector<float> values(static_cast<size_t>(H5Sget_simple_extent_npoints(space.get())));
    ASSERT_GE(H5Dread(old.get(), H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
              0);
    for (hsize_t& extent : chunk) extent = (extent + 1) / 2;
    const hdf5::Handle creation(H5Pcreate(H5P_DATASET_CREATE));
    H5Pset_chunk(creation.get(), static_cast<int>(chunk.size()), chunk.data());
    H5Pset_shuffle(creation.get());
    H5Pset_deflate(creation.get(), 4);
    const hdf5::Handle copy(H5Dcreate2(file.get(), "copy", H5T_IEEE_F32LE, space.get(), H5P_DEFAULT,
                                       creation.get(), H5P_DEFAULT));
    ASSERT_GE(H5Dwrite(copy.get(), H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
              0);
    hid_t target = copy.get();
    ASSERT_GE(H5Aiterate2(old.get(), H5_INDEX_NAME, H5_ITER_INC, nullptr, copy_attribute, &target),
              0);
    ASSERT_GE(H5Ldelete(file.get(), name, H5P_DEFAULT), 0);
    ASSERT_GE(H5Lmove(file.get(), "copy", file.get(), name, H5P_DEFAULT, H5P_DEFAULT), 0);
  }
}

constexpr std::array kFiles{"ours.hdf5", "old.hdf5", "chunked.hdf5"};

class WellDamageTest : public WellTest {
 protected:
  /// The example as we write it, in the format h5py writes, and that in chunks.
  WellDamageTest() {
    write_example(file("ours.hdf5"));
    copy_in_old_format(file("ours.hdf5"), file("old.hdf5"));
    copy_in_chunks(file("old.hdf5"), file("chunked.hdf5"));
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

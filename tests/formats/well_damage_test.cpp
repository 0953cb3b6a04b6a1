#include <cstdlib>
#include <fstream>

#include "roundtrip/base/random.h"
#include "roundtrip/formats/hdf5_write.h"
#include "roundtrip/formats/well_reader.h"
#include "tests/formats/well_example.h"

// Damaged files: cut short anywhere, bytes changed anywhere. Reading one ends in an Error or gives
// a header that holds together; it does not crash, hang or throw anything else.

namespace roundtrip {
namespace {

class WellDamageTest : public WellTest {
 protected:
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
};

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

TEST_F(WellDamageTest, FilesCutShortAnywhere) {
  write_example(file("a.hdf5"));
  copy_in_old_format(file("a.hdf5"), file("old.hdf5"));
  for (const char* name : {"a.hdf5", "old.hdf5"}) {
    const std::string bytes = read_file(file(name));
    EXPECT_TRUE(reads(bytes));
    for (size_t length = 0; length < bytes.size(); length += length < 2100 ? 1 : 61) {
      EXPECT_FALSE(reads(std::string_view(bytes).substr(0, length))) << name << " at " << length;
    }
  }
}

TEST_F(WellDamageTest, BytesChangedAnywhere) {
  write_example(file("a.hdf5"));
  copy_in_old_format(file("a.hdf5"), file("old.hdf5"));
  const char* asked = std::getenv("ROUNDTRIP_DAMAGE");
  const int repeats = asked != nullptr ? std::atoi(asked) : 1500;
  int refused = 0;
  for (const char* name : {"a.hdf5", "old.hdf5"}) {
    const std::string bytes = read_file(file(name));
    const RandomStream random(1, name);
    for (int i = 0; i < repeats; ++i) {
      std::string damaged = bytes;
      for (int flip = 0; flip <= i % 3; ++flip) {
        const auto draw = static_cast<uint64_t>(i * 8 + flip * 2);
        const auto at =
            static_cast<size_t>(random.uniform(draw) * static_cast<double>(bytes.size()));
        damaged[at] = static_cast<char>(random.uniform(draw + 1) * 256);
      }
      refused += reads(damaged) ? 0 : 1;
    }
  }
  EXPECT_GT(refused, repeats / 2);
}

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

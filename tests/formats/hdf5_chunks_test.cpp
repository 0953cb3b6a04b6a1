#include "roundtrip/formats/hdf5_chunks.h"

#include <numeric>

#include <fcntl.h>
#include <gmock/gmock.h>

#include "tests/formats/well_example.h"

namespace roundtrip {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

/// A dataset of 5 x 7 x 6 numbers 0, 1, 2, ... in chunks of 2 x 3 x 4.
class Hdf5ChunksTest : public WellTest {
 protected:
  using Prepare = std::function<void(hid_t creation)>;

  void write(const Prepare& prepare, hid_t type = H5T_IEEE_F32LE, bool values = true) const {
    const hdf5::Lock lock;
    const hsize_t shape[] = {5, 7, 6}, chunk[] = {2, 3, 4};
    const hdf5::Handle out(H5Fcreate(path().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
    const hdf5::Handle space(H5Screate_simple(3, shape, nullptr));
    const hdf5::Handle creation(H5Pcreate(H5P_DATASET_CREATE));
    H5Pset_chunk(creation.get(), 3, chunk);
    prepare(creation.get());
    const hdf5::Handle data(
        H5Dcreate2(out.get(), "a", type, space.get(), H5P_DEFAULT, creation.get(), H5P_DEFAULT));
    if (!values) return;
    const std::vector<float> all = numbers();
    ASSERT_GE(H5Dwrite(data.get(), H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data()), 0);
  }

  static std::vector<float> numbers() {
    std::vector<float> all(5 * 7 * 6);
    std::iota(all.begin(), all.end(), 0.0f);
    return all;
  }

  std::filesystem::path path() const { return file("a.hdf5"); }
  hdf5::ChunkMap map() const { return chunk_map(hdf5::Object::open_file(path()).dataset("a")); }

  std::vector<float> read(const hdf5::ChunkMap& map, const std::vector<int64_t>& offsets,
                          const std::vector<int64_t>& extents) const {
    std::vector<float> out(static_cast<size_t>(extents[0] * extents[1] * extents[2]), -1);
    read_block(map, FileDescriptor(path(), O_RDONLY), "here", offsets, extents, out.data());
    return out;
  }

  /// Every block of the dataset against its numbers.
  void expect_all_blocks(const hdf5::ChunkMap& map) const {
    ASSERT_EQ(map.chunks.size(), 3u * 3 * 2);
    for (int64_t i = 0; i < 5; ++i) {
      for (int64_t j = 0; j < 7; ++j) {
        for (int64_t k = 0; k < 6; ++k) expect_blocks_at(map, {i, j, k});
      }
    }
  }

 private:
  void expect_blocks_at(const hdf5::ChunkMap& map, const std::vector<int64_t>& at) const {
    for (int64_t n = 1; n <= 5 - at[0]; ++n) {
      for (int64_t m = 1; m <= 7 - at[1]; ++m) {
        for (int64_t l = 1; l <= 6 - at[2]; ++l) {
          ASSERT_EQ(read(map, at, {n, m, l}), block(at, {n, m, l}));
        }
      }
    }
  }

  static std::vector<float> block(const std::vector<int64_t>& at,
                                  const std::vector<int64_t>& extents) {
    std::vector<float> values;
    for (int64_t i = at[0]; i < at[0] + extents[0]; ++i) {
      for (int64_t j = at[1]; j < at[1] + extents[1]; ++j) {
        for (int64_t k = at[2]; k < at[2] + extents[2]; ++k) {
          values.push_back(static_cast<float>((i * 7 + j) * 6 + k));
        }
      }
    }
    return values;
  }
};

TEST_F(Hdf5ChunksTest, EveryBlockOfPlainChunks) {
  write([](hid_t) {});
  expect_all_blocks(map());
}

TEST_F(Hdf5ChunksTest, EveryBlockOfShuffledAndDeflatedChunks) {
  write([](hid_t creation) {
    H5Pset_shuffle(creation);
    H5Pset_deflate(creation, 6);
  });
  expect_all_blocks(map());
}

// HDF5 may leave a filter out for a chunk that it does not make smaller.
TEST_F(Hdf5ChunksTest, AFilterLeftOutForOneChunk) {
  write([](hid_t creation) {
    H5Pset_shuffle(creation);
    H5Pset_deflate(creation, 6);
  });
  {
    const hdf5::Lock lock;
    const hdf5::Handle out(H5Fopen(path().c_str(), H5F_ACC_RDWR, H5P_DEFAULT));
    const hdf5::Handle data(H5Dopen2(out.get(), "a", H5P_DEFAULT));
    std::vector<float> chunk;
    for (int64_t i = 0; i < 2; ++i) {
      for (int64_t j = 0; j < 3; ++j) {
        for (int64_t k = 0; k < 4; ++k) chunk.push_back(static_cast<float>((i * 7 + j) * 6 + k));
      }
    }
    const hsize_t at[] = {0, 0, 0};
    ASSERT_GE(H5Dwrite_chunk(data.get(), H5P_DEFAULT, /*skipped=*/0b11, at,
                             chunk.size() * sizeof(float), chunk.data()),
              0);
  }
  EXPECT_EQ(map().chunks.front().skipped, 0b11u);
  expect_all_blocks(map());
}

TEST_F(Hdf5ChunksTest, WhatOnlyHdf5CanReadHasNoMap) {
  write([](hid_t creation) { H5Pset_fletcher32(creation); });
  EXPECT_TRUE(map().empty());
  write([](hid_t) {}, H5T_IEEE_F32BE);
  EXPECT_TRUE(map().empty());
  write([](hid_t) {}, H5T_IEEE_F32LE, /*values=*/false);  // no chunk is there
  EXPECT_TRUE(map().empty());
  write([](hid_t creation) { H5Pset_layout(creation, H5D_CONTIGUOUS); });
  EXPECT_TRUE(map().empty());
  write([](hid_t creation) { H5Pset_chunk_opts(creation, H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS); });
  EXPECT_TRUE(map().empty());
}

TEST_F(Hdf5ChunksTest, DamagedChunksAreNamed) {
  write([](hid_t creation) { H5Pset_deflate(creation, 6); });
  hdf5::ChunkMap squeezed = map();
  squeezed.chunks[0].address += 1;
  EXPECT_THAT(
      [&] {
        read(squeezed, {0, 0, 0}, {1, 1, 1});
      },
      ThrowsMessage<Error>(HasSubstr("here: expected a chunk of 96 bytes")));
  squeezed = map();
  squeezed.extents = {2, 3, 5};  // the chunks hold less
  EXPECT_THAT(
      [&] {
        read(squeezed, {0, 0, 0}, {1, 1, 1});
      },
      ThrowsMessage<Error>(HasSubstr("expected a chunk of 120 bytes")));
  write([](hid_t) {});
  hdf5::ChunkMap plain = map();
  plain.chunks[0].bytes = 95;
  EXPECT_THAT(
      [&] {
        read(plain, {0, 0, 0}, {1, 1, 1});
      },
      ThrowsMessage<Error>(HasSubstr("found 95 bytes")));
  plain.chunks[0] = {.address = int64_t{1} << 40, .bytes = 96};
  EXPECT_THAT(
      [&] {
        read(plain, {0, 0, 0}, {1, 1, 1});
      },
      ThrowsMessage<Error>(HasSubstr("a.hdf5")));
}

}  // namespace
}  // namespace roundtrip

#include "roundtrip/io/hdf5_chunks.h"

#include <numeric>

#include <fcntl.h>
#include <gmock/gmock.h>

#include "tests/io/well_example.h"

namespace roundtrip {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

/// A dataset of 5 x 7 x 6 numbers 0, 1, 2, ... in chunks of 2 x 3 x 4.
class Hdf5ChunksTest : public WellTest {
 protected:
  using Prepare = std::function<void(hid_t creation)>;

  void write(const Prepare& prepare, hid_t type = H5T_IEEE_F32LE, bool values = true,
             hsize_t before = 0, hsize_t most = 0) const {
    const hdf5::Lock lock;
    const hdf5::Handle kind(H5Pcreate(H5P_FILE_CREATE));
    H5Pset_userblock(kind.get(), before);
    const hsize_t shape[] = {5, 7, 6}, chunk[] = {2, 3, 4};
    const hdf5::Handle out(H5Fcreate(path().c_str(), H5F_ACC_TRUNC, kind.get(), H5P_DEFAULT));
    const hsize_t limits[] = {most, most, most};
    const hdf5::Handle space(H5Screate_simple(3, shape, most > 0 ? limits : nullptr));
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
  hdf5::ChunkMap map(int64_t steps = hdf5::kChunkSteps) const {
    return chunk_map(hdf5::Object::open_file(path()).dataset("a"), steps);
  }

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
          const std::vector<float> expected = block(at, {n, m, l});
          ASSERT_EQ(read(map, at, {n, m, l}), expected);
          const int64_t address = run_address(map, at, {n, m, l});
          if (address < 0) continue;
          std::vector<float> run(expected.size());
          FileDescriptor(path(), O_RDONLY)
              .read_at(address, run.data(), static_cast<int64_t>(run.size() * sizeof(float)));
          ASSERT_EQ(run, expected);
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
  EXPECT_GE(run_address(map(), {2, 3, 0}, {2, 3, 4}), 0);  // a whole chunk
  EXPECT_GE(run_address(map(), {0, 1, 0}, {1, 2, 4}), 0);  // two of its rows
  EXPECT_LT(run_address(map(), {0, 1, 1}, {1, 2, 3}), 0);  // parts of two rows
  EXPECT_LT(run_address(map(), {0, 0, 0}, {1, 1, 6}), 0);  // of two chunks
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
    // The chunk after it: shuffled, not deflated.
    std::vector<char> shuffled(96);
    for (size_t i = 0; i < 24; ++i) {
      const auto value = static_cast<float>((i / 12 * 7 + i / 4 % 3) * 6 + i % 4 + 4);
      const auto* bytes = reinterpret_cast<const char*>(&value);
      for (size_t byte = 0; byte < 4; ++byte) shuffled[byte * 24 + i] = bytes[byte];
    }
    const hsize_t next[] = {0, 0, 4};
    ASSERT_GE(H5Dwrite_chunk(data.get(), H5P_DEFAULT, /*skipped=*/0b10, next, 96, shuffled.data()),
              0);
  }
  EXPECT_EQ(map().chunks.front().skipped, 0b11u);
  expect_all_blocks(map());
}

// Rows long enough to be read one by one, where they go.
TEST_F(Hdf5ChunksTest, LongRowsOfWideChunks) {
  std::vector<float> all(3 * 2500);
  std::iota(all.begin(), all.end(), 0.0f);
  {
    const hdf5::Lock lock;
    const hsize_t shape[] = {3, 2500}, chunk[] = {2, 1300};
    const hdf5::Handle out(H5Fcreate(path().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
    const hdf5::Handle space(H5Screate_simple(2, shape, nullptr));
    const hdf5::Handle creation(H5Pcreate(H5P_DATASET_CREATE));
    H5Pset_chunk(creation.get(), 2, chunk);
    const hdf5::Handle data(H5Dcreate2(out.get(), "a", H5T_IEEE_F32LE, space.get(), H5P_DEFAULT,
                                       creation.get(), H5P_DEFAULT));
    H5Dwrite(data.get(), H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data());
  }
  std::vector<float> found(all.size());
  read_block(map(), FileDescriptor(path(), O_RDONLY), "here", {0, 0}, {3, 2500}, found.data());
  EXPECT_EQ(found, all);
}

TEST_F(Hdf5ChunksTest, WhatOnlyHdf5CanReadHasNoMap) {
  write([](hid_t creation) {  // shuffled last: nobody does
    H5Pset_deflate(creation, 6);
    H5Pset_shuffle(creation);
  });
  EXPECT_TRUE(map().empty());
  const auto huge = [](hid_t creation) {  // one chunk, a thousand times the dataset
    const hsize_t extents[] = {50, 70, 60};
    H5Pset_chunk(creation, 3, extents);
  };
  write(huge, H5T_IEEE_F32LE, /*values=*/true, /*before=*/0, H5S_UNLIMITED);
  EXPECT_TRUE(map().empty());
  write([](hid_t) {});
  EXPECT_FALSE(map(/*steps=*/18 * 18).empty());
  EXPECT_TRUE(map(/*steps=*/18 * 18 - 1).empty());
  write([](hid_t creation) { H5Pset_fletcher32(creation); });
  EXPECT_TRUE(map().empty());
  write([](hid_t) {}, H5T_IEEE_F32BE);
  EXPECT_TRUE(map().empty());
  write([](hid_t) {}, H5T_IEEE_F32LE, /*values=*/false);  // no chunk is there
  EXPECT_TRUE(map().empty());
  write([](hid_t) {}, H5T_IEEE_F32LE, /*values=*/true, /*before=*/512);
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

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "roundtrip/io/file_descriptor.h"
#include "roundtrip/io/hdf5.h"

// Chunked values read without HDF5: it names the places of the chunks once, in its child process,
// and after that they are read by any number of threads side by side.

namespace roundtrip::hdf5 {

/// What was done to the bytes of a chunk before they were stored.
enum class ChunkFilter : int { shuffle, deflate };

/// One stored chunk.
struct Chunk {
  int64_t address = 0;
  int64_t bytes = 0;
  uint32_t skipped = 0;  // bit k: filter k was left out for this one
};

/// Where the values of a dataset of float32 lie when it is stored in chunks. All of them are there,
/// each of the full extents, also those that reach over the dataset's end.
struct ChunkMap {
  std::vector<int64_t> shape;    // of the dataset
  std::vector<int64_t> extents;  // of a chunk
  std::vector<ChunkFilter> filters;
  std::vector<Chunk> chunks;  // row by row, as values are

  bool empty() const { return chunks.empty(); }
};

/// HDF5 1.10 walks over a dataset's chunks for the place of each, so asking for all takes time with
/// their square: 0.1 to 0.2 seconds for 4096 of them. This much is asked for of one file.
inline constexpr int64_t kChunkSteps = int64_t{4096} * 4096;

/// The map of a dataset; empty when HDF5 has to read it: not chunked, of other numbers or filters,
/// with missing chunks, chunks far larger than the dataset, a file that begins within another, or
/// more chunks than the `steps` left, which it takes its own from.
ChunkMap chunk_map(const Object& dataset, int64_t& steps);

/// Where the block of `extents` values at `offsets` lies in the file, when it lies there as one
/// run, uncompressed in one chunk; -1 otherwise.
int64_t run_address(const ChunkMap& map, const std::vector<int64_t>& offsets,
                    const std::vector<int64_t>& extents);

/// The block of `extents` values at `offsets`, row by row. An Error that begins with `where` when a
/// chunk does not hold what it should.
void read_block(const ChunkMap& map, const FileDescriptor& file, const std::string& where,
                const std::vector<int64_t>& offsets, const std::vector<int64_t>& extents,
                float* out);

}  // namespace roundtrip::hdf5

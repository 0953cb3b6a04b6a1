#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "roundtrip/formats/file_descriptor.h"
#include "roundtrip/formats/hdf5.h"

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

/// The map of a dataset; empty when HDF5 has to read it: not chunked, of other numbers or filters,
/// with missing chunks, or with so many that asking for their places takes longer than it saves.
ChunkMap chunk_map(const Object& dataset);

/// The block of `extents` values at `offsets`, row by row. An Error that begins with `where` when a
/// chunk does not hold what it should.
void read_block(const ChunkMap& map, const FileDescriptor& file, const std::string& where,
                const std::vector<int64_t>& offsets, const std::vector<int64_t>& extents,
                float* out);

}  // namespace roundtrip::hdf5

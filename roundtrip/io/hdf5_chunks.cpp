#include "roundtrip/io/hdf5_chunks.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <optional>

#include <fmt/format.h>
#include <zlib.h>

#include "roundtrip/base/error.h"

namespace roundtrip::hdf5 {
namespace {

constexpr int64_t kFloat = sizeof(float);
// A chunk is held in memory twice while it is inflated and put in order.
constexpr int64_t kMostChunkBytes = int64_t{1} << 28;

int64_t product(const std::vector<int64_t>& extents) {
  return std::accumulate(extents.begin(), extents.end(), int64_t{1}, std::multiplies<>());
}

/// The extents of a chunk; none when it is larger than what we hold in memory.
std::vector<int64_t> chunk_extents(hid_t creation, size_t rank) {
  std::vector<hsize_t> extents(rank);
  if (H5Pget_chunk(creation, static_cast<int>(rank), extents.data()) != static_cast<int>(rank)) {
    return {};
  }
  uint64_t bytes = kFloat;
  for (const hsize_t extent : extents) {
    if (extent == 0 || extent > uint64_t{kMostChunkBytes} / bytes) return {};
    bytes *= extent;
  }
  return {extents.begin(), extents.end()};
}

/// The filters of a dataset when they are those we undo, in the order every writer applies them.
std::optional<std::vector<ChunkFilter>> filters_of(hid_t creation) {
  std::vector<ChunkFilter> filters;
  for (int k = 0; k < H5Pget_nfilters(creation); ++k) {
    unsigned flags = 0, value = 0;
    size_t values = 1;
    const H5Z_filter_t id = H5Pget_filter2(creation, static_cast<unsigned>(k), &flags, &values,
                                           &value, 0, nullptr, nullptr);
    const bool by_floats = values == 1 && value == kFloat;
    if (id == H5Z_FILTER_SHUFFLE && filters.empty() && by_floats) {
      filters.push_back(ChunkFilter::shuffle);
    } else if (id == H5Z_FILTER_DEFLATE && std::ranges::count(filters, ChunkFilter::deflate) == 0) {
      filters.push_back(ChunkFilter::deflate);
    } else {
      return std::nullopt;
    }
  }
  return filters;
}

/// Whether other data come before the HDF5 file in this one, as in MATLAB's: versions of HDF5
/// differ in whether a chunk's address counts from there.
bool starts_later(const Object& dataset) {
  const Handle file(H5Iget_file_id(dataset.id()));
  const Handle creation(H5Fget_create_plist(file.get()));
  hsize_t bytes = 0;
  return H5Pget_userblock(creation.get(), &bytes) < 0 || bytes != 0;
}

/// Ways of finding chunks whose cost is as said at kChunkSteps, and whose offsets HDF5 1.10 reports
/// right: those of its other ways take ten times as long, or are wrong along an unlimited axis.
bool known_index(const Object& dataset) {
  H5D_chunk_index_t index = H5D_CHUNK_IDX_NTYPES;
  return H5Dget_chunk_index_type(dataset.id(), &index) >= 0 &&
         (index == H5D_CHUNK_IDX_BTREE || index == H5D_CHUNK_IDX_BT2 ||
          index == H5D_CHUNK_IDX_SINGLE);
}

/// How many chunks lie along each axis.
std::vector<int64_t> grid_of(const ChunkMap& map) {
  std::vector<int64_t> grid;
  for (size_t d = 0; d < map.shape.size(); ++d) {
    grid.push_back((map.shape[d] - 1) / map.extents[d] + 1);
  }
  return grid;
}

/// Chunks of the whole grid; 0 when there are more than `most`.
int64_t chunks_of(const std::vector<int64_t>& grid, int64_t most) {
  int64_t count = 1;
  for (const int64_t extent : grid) {
    if (extent > most / count) return 0;
    count *= extent;
  }
  return count;
}

/// Whether chunks hold little else than values of the dataset: a small one may lie in a single huge
/// chunk, all of which would have to be read for a frame.
bool fits(const ChunkMap& map) {
  double chunk = 1, used = 1;
  for (size_t d = 0; d < map.shape.size(); ++d) {
    chunk *= static_cast<double>(map.extents[d]);
    used *= static_cast<double>(std::min(map.extents[d], map.shape[d]));
  }
  return chunk <= 4 * used;
}

/// The place in row-major order of the chunk that holds the value at `offsets`.
template <class Offset>
size_t place_of(const ChunkMap& map, const std::vector<Offset>& offsets) {
  const std::vector<int64_t> grid = grid_of(map);
  int64_t place = 0;
  for (size_t d = 0; d < grid.size(); ++d) {
    place = place * grid[d] + static_cast<int64_t>(offsets[d]) / map.extents[d];
  }
  return static_cast<size_t>(place);
}

/// Whether a chunk of the dataset begins there.
bool begins_a_chunk(const ChunkMap& map, const std::vector<hsize_t>& offsets) {
  for (size_t d = 0; d < offsets.size(); ++d) {
    if (offsets[d] % static_cast<hsize_t>(map.extents[d]) != 0) return false;
    if (offsets[d] >= static_cast<hsize_t>(map.shape[d])) return false;
  }
  return true;
}

/// All chunks in row-major order; none when one is missing or there twice.
std::vector<Chunk> find_chunks(const Object& dataset, const ChunkMap& map, int64_t& steps) {
  const auto most = static_cast<int64_t>(std::sqrt(static_cast<double>(steps)));
  const int64_t count = chunks_of(grid_of(map), most);
  const Handle space(H5Dget_space(dataset.id()));
  const Handle file(H5Iget_file_id(dataset.id()));
  hsize_t stored = 0, file_size = 0;
  if (count == 0 || H5Dget_num_chunks(dataset.id(), space.get(), &stored) < 0 ||
      static_cast<int64_t>(stored) != count || H5Fget_filesize(file.get(), &file_size) < 0) {
    return {};
  }
  steps -= count * count;
  const uLong most_bytes = compressBound(static_cast<uLong>(product(map.extents) * kFloat));
  std::vector<Chunk> chunks(static_cast<size_t>(count));
  std::vector<hsize_t> offsets(map.shape.size());
  for (hsize_t i = 0; i < stored; ++i) {
    unsigned skipped = 0;
    haddr_t address = HADDR_UNDEF;
    hsize_t bytes = 0;
    if (H5Dget_chunk_info(dataset.id(), space.get(), i, offsets.data(), &skipped, &address,
                          &bytes) < 0) {
      return {};
    }
    if (!begins_a_chunk(map, offsets) || bytes == 0 || bytes > most_bytes || address > file_size ||
        bytes > file_size - address) {
      return {};
    }
    Chunk& chunk = chunks[place_of(map, offsets)];
    if (chunk.bytes != 0) return {};
    chunk = {.address = static_cast<int64_t>(address),
             .bytes = static_cast<int64_t>(bytes),
             .skipped = skipped};
  }
  return chunks;
}

/// Moves an index on within [first, last] of every axis, the last axis fastest; false at the end.
bool advance(std::vector<int64_t>& index, const std::vector<int64_t>& first,
             const std::vector<int64_t>& last) {
  for (size_t d = index.size(); d-- > 0;) {
    if (++index[d] <= last[d]) return true;
    index[d] = first[d];
  }
  return false;
}

/// The part of one chunk that a block wants; per axis.
struct Overlap {
  std::vector<int64_t> in_chunk, in_block, length;
};

/// Calls `copy(from, to, count)` for every run of values that lie together in chunk and block.
template <class Copy>
void each_run(const Overlap& part, const std::vector<int64_t>& chunk,
              const std::vector<int64_t>& block, const Copy& copy) {
  size_t outer = part.length.size();  // axes before the run
  int64_t run = 1;
  while (outer > 0) {
    --outer;
    run *= part.length[outer];
    if (part.length[outer] != chunk[outer] || part.length[outer] != block[outer]) break;
  }
  const std::vector<int64_t> first(outer, 0);
  std::vector<int64_t> last(part.length.begin(), part.length.begin() + static_cast<int64_t>(outer));
  for (int64_t& index : last) --index;
  std::vector<int64_t> at = first;
  do {
    int64_t from = 0, to = 0;
    for (size_t d = 0; d < part.length.size(); ++d) {
      const int64_t step = d < outer ? at[d] : 0;
      from = from * chunk[d] + part.in_chunk[d] + step;
      to = to * block[d] + part.in_block[d] + step;
    }
    copy(from, to, run);
  } while (advance(at, first, last));
}

/// Reads chunks of one dataset, reusing its memory from one to the next.
class ChunkReader {
 public:
  ChunkReader(const ChunkMap& map, const FileDescriptor& file, const std::string& where)
      : map_(map), file_(file), where_(where), values_(product(map.extents)) {}

  void read(const Chunk& chunk, const Overlap& part, const std::vector<int64_t>& block,
            float* out) {
    if (map_.filters.empty()) return read_plain(chunk, part, block, out);
    unpack(chunk);
    each_run(part, map_.extents, block, [&](int64_t from, int64_t to, int64_t count) {
      std::memcpy(out + to, unpacked_.data() + from * kFloat, static_cast<size_t>(count * kFloat));
    });
  }

 private:
  [[noreturn]] void fail(const Chunk& chunk, int64_t found) const {
    throw Error("well", fmt::format("{}: expected a chunk of {} bytes at byte {}, found {}; it is "
                                    "damaged: download or generate it again",
                                    where_, values_ * kFloat, chunk.address,
                                    found < 0 ? "none that can be inflated"
                                              : fmt::format("{} bytes", found)));
  }

  // Each run is read where it goes: no copy besides the kernel's. Runs of a few values are read
  // together with what lies between them.
  void read_plain(const Chunk& chunk, const Overlap& part, const std::vector<int64_t>& block,
                  float* out) {
    if (chunk.bytes != values_ * kFloat) fail(chunk, chunk.bytes);
    constexpr int64_t kLongRun = 1024;
    int64_t first = -1, last = 0, shortest = values_;
    each_run(part, map_.extents, block, [&](int64_t from, int64_t, int64_t count) {
      if (first < 0) first = from;
      last = from + count;
      shortest = count;
    });
    if (shortest >= kLongRun || shortest == last - first) {
      each_run(part, map_.extents, block, [&](int64_t from, int64_t to, int64_t count) {
        file_.read_at(chunk.address + from * kFloat, out + to, count * kFloat);
      });
      return;
    }
    stored_.resize(static_cast<size_t>((last - first) * kFloat));
    file_.read_at(chunk.address + first * kFloat, stored_.data(), (last - first) * kFloat);
    each_run(part, map_.extents, block, [&](int64_t from, int64_t to, int64_t count) {
      std::memcpy(out + to, stored_.data() + (from - first) * kFloat,
                  static_cast<size_t>(count * kFloat));
    });
  }

  void unpack(const Chunk& chunk) {
    const auto bytes = static_cast<size_t>(values_ * kFloat);
    stored_.resize(static_cast<size_t>(chunk.bytes));
    file_.read_at(chunk.address, stored_.data(), chunk.bytes);
    for (size_t k = map_.filters.size(); k-- > 0;) {
      if ((chunk.skipped >> k & 1) != 0) continue;
      if (map_.filters[k] == ChunkFilter::deflate) {
        unpacked_.resize(bytes);
        auto found = static_cast<uLongf>(bytes);
        const int result = uncompress(unpacked_.data(), &found, stored_.data(),
                                      static_cast<uLong>(stored_.size()));
        if (result != Z_OK) fail(chunk, -1);
        unpacked_.resize(static_cast<size_t>(found));
      } else {
        if (stored_.size() != bytes) fail(chunk, static_cast<int64_t>(stored_.size()));
        unshuffle();
      }
      std::swap(stored_, unpacked_);
    }
    std::swap(stored_, unpacked_);
    if (unpacked_.size() != bytes) fail(chunk, static_cast<int64_t>(unpacked_.size()));
  }

  // Shuffled bytes are stored by their place in a value: all first ones, all second ones, ...
  void unshuffle() {
    unpacked_.resize(stored_.size());
    const auto values = static_cast<size_t>(values_);
    const unsigned char* from = stored_.data();
    unsigned char* to = unpacked_.data();
    for (size_t i = 0; i < values; ++i) {
      for (size_t byte = 0; byte < kFloat; ++byte) to[i * kFloat + byte] = from[byte * values + i];
    }
  }

  const ChunkMap& map_;
  const FileDescriptor& file_;
  const std::string& where_;
  int64_t values_;  // of a chunk
  std::vector<unsigned char> stored_, unpacked_;
};

/// What a block wants of the chunk at `index` of the grid of chunks.
Overlap overlap(const ChunkMap& map, const std::vector<int64_t>& index,
                const std::vector<int64_t>& offsets, const std::vector<int64_t>& extents) {
  Overlap part;
  for (size_t d = 0; d < index.size(); ++d) {
    const int64_t chunk = index[d] * map.extents[d];
    const int64_t begin = std::max(chunk, offsets[d]);
    const int64_t end = std::min(chunk + map.extents[d], offsets[d] + extents[d]);
    part.in_chunk.push_back(begin - chunk);
    part.in_block.push_back(begin - offsets[d]);
    part.length.push_back(end - begin);
  }
  return part;
}

}  // namespace

ChunkMap chunk_map(const Object& dataset, int64_t& steps) {
  const Lock lock;
  const Handle type(H5Dget_type(dataset.id()));
  const Handle creation(H5Dget_create_plist(dataset.id()));
  ChunkMap map{.shape = dataset.shape(), .extents = {}, .filters = {}, .chunks = {}};
  if (H5Pget_layout(creation.get()) != H5D_CHUNKED || starts_later(dataset) ||
      !known_index(dataset) || H5Tequal(type.get(), H5T_IEEE_F32LE) <= 0 ||
      std::ranges::count(map.shape, 0) > 0) {
    return {};
  }
  // Chunks at the end may be left unfiltered; no writer we know of asks for it.
  unsigned options = 0;
  if (H5Pget_chunk_opts(creation.get(), &options) < 0 || options != 0) return {};
  const auto filters = filters_of(creation.get());
  map.extents = chunk_extents(creation.get(), map.shape.size());
  if (!filters || map.extents.empty() || !fits(map)) return {};
  map.filters = *filters;
  map.chunks = find_chunks(dataset, map, steps);
  return map;
}

int64_t run_address(const ChunkMap& map, const std::vector<int64_t>& offsets,
                    const std::vector<int64_t>& extents) {
  if (!map.filters.empty()) return -1;
  int64_t inside = 0;
  bool within_row = false;  // the block has more than one value along an earlier axis
  for (size_t d = 0; d < extents.size(); ++d) {
    const int64_t start = offsets[d] % map.extents[d];
    if (start + extents[d] > map.extents[d]) return -1;
    if (within_row && extents[d] != map.extents[d]) return -1;
    within_row = within_row || extents[d] > 1;
    inside = inside * map.extents[d] + start;
  }
  const Chunk& chunk = map.chunks.at(place_of(map, offsets));
  if (chunk.bytes != product(map.extents) * kFloat) return -1;
  return chunk.address + inside * kFloat;
}

void read_block(const ChunkMap& map, const FileDescriptor& file, const std::string& where,
                const std::vector<int64_t>& offsets, const std::vector<int64_t>& extents,
                float* out) {
  ensure(offsets.size() == map.shape.size() && extents.size() == map.shape.size(),
         "a block of another rank");
  std::vector<int64_t> first, last;  // chunks, per axis
  for (size_t d = 0; d < map.shape.size(); ++d) {
    ensure(offsets[d] >= 0 && extents[d] > 0 && extents[d] <= map.shape[d] - offsets[d],
           "a block outside the dataset");
    first.push_back(offsets[d] / map.extents[d]);
    last.push_back((offsets[d] + extents[d] - 1) / map.extents[d]);
  }
  ChunkReader reader(map, file, where);
  std::vector<int64_t> index = first;
  do {
    const Overlap part = overlap(map, index, offsets, extents);
    std::vector<int64_t> value = offsets;  // the first that the block wants of this chunk
    for (size_t d = 0; d < value.size(); ++d) value[d] += part.in_block[d];
    reader.read(map.chunks.at(place_of(map, value)), part, extents, out);
  } while (advance(index, first, last));
}

}  // namespace roundtrip::hdf5

#include "roundtrip/io/well_reader.h"

#include <algorithm>
#include <bit>

#include <fcntl.h>
#include <fmt/format.h>

#include "roundtrip/base/error.h"
#include "roundtrip/io/file_descriptor.h"
#include "roundtrip/io/hdf5_blocks.h"
#include "roundtrip/io/reader_call.h"
#include "roundtrip/io/well_archive.h"

// A field stored as one run of float32 (ours, and what h5py writes by default) is read at its
// address with pread: no HDF5 lock, so that threads read side by side, and vectors are taken apart
// while a piece of the file is in the nearest cache. Chunks of float32, plain or as h5py compresses
// them, are read the same way at theirs (hdf5_chunks.h). Everything else (other number types and
// filters, chunks by the thousands) goes through HDF5's hyperslabs, in roundtrip-reader: HDF5 1.10
// crashes on some damaged files (sizes in its heaps of strings and in its chunks are not checked)
// and loops without end on others, so it never touches a file in this process.

namespace roundtrip {
namespace {

static_assert(std::endian::native == std::endian::little,
              "frames are read as they are in the file");

// 32 KB: large enough that the system calls do not show, small enough to stay in the near caches
// (half of it is a tenth slower).
constexpr int64_t kPieceFloats = 8192;

/// Where the values of one field come from.
struct Source {
  WellPlanes planes;
  std::vector<int64_t> shape;  // of the dataset
  WellPlace place;

  /// One run of float32 in the file.
  bool plain() const { return place.address >= 0; }
  /// Read without HDF5.
  bool direct() const { return plain() || !place.chunks.empty(); }
  /// A frame of its own can be read without unpacking others.
  bool seeks() const { return plain() || (direct() && place.chunks.filters.empty()); }
};

/// Part of a trajectory.
struct Window {
  int64_t trajectory, first, count;
};

/// Part of a dataset.
struct Block {
  std::vector<int64_t> offsets, extents;
};

constexpr const char* kDamaged = "it is damaged: download or generate it again";

WellContents contents_of(const std::filesystem::path& path) {
  return ask_reader<WellContents>(
      {.task = "well_contents", .on = path.string(), .advice = kDamaged}, path.string());
}

int64_t bytes_of(int64_t floats) { return floats * static_cast<int64_t>(sizeof(float)); }

}  // namespace

struct WellReader::State {
  State(std::filesystem::path its_path, WellContents contents)
      : path(std::move(its_path)),
        header(std::move(contents.header)),
        times(std::move(contents.times)),
        descriptor(path, O_RDONLY) {
    for (size_t f = 0; f < header.fields.size(); ++f) {
      sources.push_back({.planes = WellPlanes(header, header.fields[f]),
                         .shape = header.stored_shape(header.fields[f]),
                         .place = std::move(contents.places[f])});
    }
  }

  /// The place of a stored frame among the stored frames of its field.
  int64_t stored_index(size_t f, int64_t trajectory, int64_t frame) const {
    const WellField& field = header.fields[f];
    int64_t index = field.sample_varying ? trajectory : 0;
    if (field.time_varying) index = index * header.frames() + frame;
    return index;
  }

  /// Floats stored of a field in a window.
  size_t stored_floats(size_t f, const Window& window) const {
    const int64_t frames = header.fields[f].time_varying ? window.count : 1;
    return static_cast<size_t>(frames * sources[f].planes.stored_size());
  }

  /// Stored frames of a field read without HDF5, [frame, points, component].
  void read_stored(size_t f, const Window& window, float* out) const {
    if (!sources[f].plain()) {
      const Block block = block_of(f, window);
      return hdf5::read_block(sources[f].place.chunks, descriptor,
                              fmt::format("{}: {}", path.string(), header.fields[f].name),
                              block.offsets, block.extents, out);
    }
    const int64_t frame_bytes = bytes_of(sources[f].planes.stored_size());
    const int64_t index = stored_index(f, window.trajectory, window.first);
    descriptor.read_at(sources[f].place.address + index * frame_bytes, out,
                       bytes_of(static_cast<int64_t>(stored_floats(f, window))));
  }

  /// The same for fields that HDF5 reads, one after the other.
  void read_others(const std::vector<size_t>& fields, const Window& window,
                   std::span<float> out) const {
    if (fields.empty()) return;
    BlockRequest request{.path = path.string(), .blocks = {}};
    double declared = 0;
    for (const size_t f : fields) {
      Block block = block_of(f, window);
      request.blocks.push_back({.group = well_group(header.fields[f].order),
                                .dataset = header.fields[f].name,
                                .shape = sources[f].shape,
                                .offsets = std::move(block.offsets),
                                .extents = std::move(block.extents)});
      double bytes = sizeof(float);
      for (const int64_t extent : sources[f].shape) bytes *= static_cast<double>(extent);
      declared += bytes;
    }
    call_reader({.task = "blocks",
                 .on = path.string(),
                 .advice = kDamaged,
                 .seconds = seconds_to_read(declared)},
                pack_bytes(request), out);
  }

  /// The part of a field's dataset that a window asks for.
  Block block_of(size_t f, const Window& window) const {
    const WellField& field = header.fields[f];
    Block block{.offsets = std::vector<int64_t>(sources[f].shape.size(), 0),
                .extents = sources[f].shape};
    size_t axis = 0;
    if (field.sample_varying) {
      block.offsets[axis] = window.trajectory;
      block.extents[axis++] = 1;
    }
    if (field.time_varying) {
      block.offsets[axis] = window.first;
      block.extents[axis] = window.count;
    }
    return block;
  }

  /// Where one frame of a field lies in the file as one run; -1 when it does not.
  int64_t frame_address(size_t f, int64_t trajectory, int64_t frame) const {
    const Source& source = sources[f];
    if (source.plain()) {
      return source.place.address +
             stored_index(f, trajectory, frame) * bytes_of(source.planes.stored_size());
    }
    if (!source.direct()) return -1;
    const Block block = block_of(f, {trajectory, frame, 1});
    return hdf5::run_address(source.place.chunks, block.offsets, block.extents);
  }

  /// One frame of a field that is stored along all axes, from the run it lies in, piece by piece
  /// into its planes.
  void read_planes(size_t f, int64_t start, float* planes) const {
    const int64_t components = sources[f].planes.components;
    const int64_t points = sources[f].planes.grid_points;
    if (components == 1) return descriptor.read_at(start, planes, bytes_of(points));
    float piece[kPieceFloats];
    const int64_t step = kPieceFloats / components;
    for (int64_t at = 0; at < points; at += step) {
      const int64_t length = std::min(step, points - at);
      descriptor.read_at(start + bytes_of(at * components), piece, bytes_of(length * components));
      deinterleave(piece, length, components, planes + at, points);
    }
  }

  /// One frame of a field read without HDF5 and without unpacking others.
  void read_frame(size_t f, int64_t trajectory, int64_t frame, std::vector<float>& stored,
                  float* planes) const {
    const WellPlanes& shape = sources[f].planes;
    const int64_t start = frame_address(f, trajectory, frame);
    if (shape.full() && start >= 0) return read_planes(f, start, planes);
    const Window window{trajectory, frame, 1};
    if (shape.full() && shape.components == 1) return read_stored(f, window, planes);
    stored.resize(static_cast<size_t>(shape.stored_size()));
    read_stored(f, window, stored.data());
    shape.to_planes(stored.data(), planes);
  }

  void check(int64_t trajectory, int64_t first, int64_t count) const {
    if (trajectory < 0 || trajectory >= header.n_trajectories) {
      throw Error("well",
                  fmt::format("{}: expected a trajectory from 0 to {}, asked for {}; choose "
                              "one of those",
                              path.string(), header.n_trajectories - 1, trajectory));
    }
    if (first < 0 || count < 1 || count > header.frames() - first) {
      throw Error("well", fmt::format("{}: expected frames within 0 to {}, asked for {} from {}; "
                                      "choose fewer",
                                      path.string(), header.frames() - 1, count, first));
    }
  }

  std::filesystem::path path;
  WellHeader header;
  std::vector<double> times;  // [trajectory, frame] when they vary over trajectories
  FileDescriptor descriptor;
  std::vector<Source> sources;  // of each field
};

WellReader::WellReader(const std::filesystem::path& path)
    : state_(std::make_unique<State>(path, contents_of(path))) {}

WellReader::~WellReader() = default;
WellReader::WellReader(WellReader&&) noexcept = default;
WellReader& WellReader::operator=(WellReader&&) noexcept = default;

const std::filesystem::path& WellReader::path() const { return state_->path; }
const WellHeader& WellReader::header() const { return state_->header; }

void WellReader::read_window(int64_t trajectory, int64_t first, int64_t count,
                             std::span<float> out) const {
  const State& state = *state_;
  const WellHeader& header = state.header;
  state.check(trajectory, first, count);
  const int64_t frame_size = header.frame_size();
  ensure(static_cast<int64_t>(out.size()) == count * frame_size, "a window of another size");

  const Window window{trajectory, first, count};
  std::vector<size_t> others;
  size_t other_floats = 0;
  for (size_t f = 0; f < state.sources.size(); ++f) {
    if (state.sources[f].direct()) continue;
    others.push_back(f);
    other_floats += state.stored_floats(f, window);
  }
  std::vector<float> other_values(other_floats);
  state.read_others(others, window, other_values);
  const float* other = other_values.data();

  float* channel = out.data();  // of the window's first frame
  std::vector<float> stored;
  for (size_t f = 0; f < state.sources.size(); ++f) {
    const WellPlanes& planes = state.sources[f].planes;
    const int64_t frames = header.fields[f].time_varying ? count : 1;
    if (state.sources[f].seeks()) {
      for (int64_t t = 0; t < frames; ++t) {
        state.read_frame(f, trajectory, first + t, stored, channel + t * frame_size);
      }
    } else {
      const float* from = other;
      if (state.sources[f].direct()) {
        stored.resize(state.stored_floats(f, window));
        state.read_stored(f, window, stored.data());
        from = stored.data();
      } else {
        other += state.stored_floats(f, window);
      }
      for (int64_t t = 0; t < frames; ++t) {
        planes.to_planes(from + t * planes.stored_size(), channel + t * frame_size);
      }
    }
    const int64_t size = planes.components * planes.grid_points;
    for (int64_t t = frames; t < count; ++t) std::copy_n(channel, size, channel + t * frame_size);
    channel += size;
  }
}

void WellReader::read_field(int64_t field, int64_t trajectory, int64_t first, int64_t count,
                            std::span<float> out) const {
  const State& state = *state_;
  state.check(trajectory, first, count);
  const auto f = static_cast<size_t>(field);
  ensure(f < state.sources.size(), "a field outside the file");
  const Window window{trajectory, first, count};
  const WellPlanes& planes = state.sources[f].planes;
  const auto size = static_cast<size_t>(planes.stored_size());
  ensure(out.size() == state.stored_floats(f, window), "a field window of another size");
  const auto read = [&](std::span<float> values) {
    if (state.sources[f].direct()) return state.read_stored(f, window, values.data());
    state.read_others({f}, window, values);
  };
  if (planes.components == 1) return read(out);
  std::vector<float> stored(out.size());
  read(stored);
  for (size_t at = 0; at < out.size(); at += size) {
    deinterleave(stored.data() + at, planes.stored_points, planes.components, out.data() + at,
                 planes.stored_points);
  }
}

bool WellReader::seeks() const { return std::ranges::all_of(state_->sources, &Source::seeks); }

const std::string& WellReader::stored_type(int64_t field) const {
  return state_->sources.at(static_cast<size_t>(field)).place.type;
}

int64_t WellReader::stored_frame_size(int64_t field) const {
  return state_->sources.at(static_cast<size_t>(field)).planes.stored_size();
}

std::vector<double> WellReader::times(int64_t trajectory) const {
  const State& state = *state_;
  state.check(trajectory, 0, 1);
  if (!state.header.time.sample_varying) return state.header.time.coordinates;
  const auto start = state.times.begin() + trajectory * state.header.frames();
  return {start, start + state.header.frames()};
}

}  // namespace roundtrip

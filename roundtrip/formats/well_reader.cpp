#include "roundtrip/formats/well_reader.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <string_view>

#include <fcntl.h>
#include <fmt/format.h>

#include "roundtrip/base/error.h"
#include "roundtrip/formats/child_process.h"
#include "roundtrip/formats/file_descriptor.h"
#include "roundtrip/formats/well_archive.h"
#include "roundtrip/formats/well_header.h"

// A field stored as one run of float32 (ours, and what h5py writes by default) is read at its
// address with pread: no HDF5 lock, so that threads read side by side, and vectors are taken apart
// while a piece of the file is in the nearest cache. Everything else (chunks, compression, other
// number types) goes through HDF5's hyperslabs.

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
  std::vector<int64_t> shape;           // of the dataset
  int64_t address = -1;                 // in bytes, when it is one run of float32
  std::optional<hdf5::Object> dataset;  // otherwise
};

constexpr std::string_view kDamaged = "it is damaged: download or generate it again";

WellContents read_contents(const std::filesystem::path& path) {
  const hdf5::Object file = hdf5::Object::open_file(path);
  WellContents contents{.header = read_well_header(file), .addresses = {}};
  for (const hdf5::Object& dataset : open_well_fields(file, contents.header)) {
    contents.addresses.push_back(dataset.plain_float_address());
  }
  return contents;
}

// In a child process: HDF5 1.10 crashes on some damaged headers (sizes in its heaps of strings are
// not checked against the heap), and loops without end on others. One child for many files, since
// starting it costs the more the larger this process is.
std::vector<WellContents> read_in_child(const std::vector<std::filesystem::path>& paths) {
  const hdf5::Lock lock;  // no other thread is inside HDF5 at the fork
  return unpack(call_in_child(paths.front().string(), kDamaged, [&] {
    std::vector<WellContents> files;
    for (const std::filesystem::path& path : paths) files.push_back(read_contents(path));
    return pack(files);
  }));
}

int64_t bytes_of(int64_t floats) { return floats * static_cast<int64_t>(sizeof(float)); }

}  // namespace

struct WellReader::State {
  State(std::filesystem::path its_path, WellContents contents)
      : path(std::move(its_path)), header(std::move(contents.header)), descriptor(path, O_RDONLY) {
    for (size_t f = 0; f < header.fields.size(); ++f) {
      sources.push_back({.planes = WellPlanes(header, header.fields[f]),
                         .shape = header.stored_shape(header.fields[f]),
                         .address = contents.addresses[f],
                         .dataset = std::nullopt});
    }
    open_other_datasets();
  }

  /// HDF5 has to open the file in this process only for fields that are not plain runs.
  void open_other_datasets() {
    const auto plain = [](const Source& source) { return source.address >= 0; };
    if (std::all_of(sources.begin(), sources.end(), plain)) return;
    const hdf5::Lock lock;
    std::vector<hdf5::Object> datasets = open_well_fields(hdf5::Object::open_file(path), header);
    for (size_t f = 0; f < sources.size(); ++f) {
      if (!plain(sources[f])) sources[f].dataset = std::move(datasets[f]);
    }
  }

  /// The place of a stored frame among the stored frames of its field.
  int64_t stored_index(size_t f, int64_t trajectory, int64_t frame) const {
    const WellField& field = header.fields[f];
    int64_t index = field.sample_varying ? trajectory : 0;
    if (field.time_varying) index = index * header.frames() + frame;
    return index;
  }

  /// Stored frames as they lie in the file, [frame, points, component].
  void read_stored(size_t f, int64_t trajectory, int64_t first, int64_t count, float* out) const {
    const Source& source = sources[f];
    const WellField& field = header.fields[f];
    if (!source.dataset) {
      const int64_t frame_bytes = bytes_of(source.planes.stored_size());
      const int64_t index = stored_index(f, trajectory, first);
      descriptor.read_at(source.address + index * frame_bytes, out, count * frame_bytes);
      return;
    }
    std::vector<int64_t> offsets(source.shape.size(), 0), extents = source.shape;
    size_t axis = 0;
    if (field.sample_varying) {
      offsets[axis] = trajectory;
      extents[axis++] = 1;
    }
    if (field.time_varying) {
      offsets[axis] = first;
      extents[axis] = count;
    }
    source.dataset->read_block(offsets, extents, H5T_NATIVE_FLOAT, out);
  }

  /// One frame of a field stored as one run and along all axes, piece by piece into its planes.
  void read_planes(size_t f, int64_t trajectory, int64_t frame, float* planes) const {
    const Source& source = sources[f];
    const int64_t components = source.planes.components;
    const int64_t points = source.planes.grid_points;
    const int64_t start =
        source.address + stored_index(f, trajectory, frame) * bytes_of(source.planes.stored_size());
    if (components == 1) return descriptor.read_at(start, planes, bytes_of(points));
    float piece[kPieceFloats];
    const int64_t step = kPieceFloats / components;
    for (int64_t at = 0; at < points; at += step) {
      const int64_t length = std::min(step, points - at);
      descriptor.read_at(start + bytes_of(at * components), piece, bytes_of(length * components));
      deinterleave(piece, length, components, planes + at, points);
    }
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
  FileDescriptor descriptor;
  std::vector<Source> sources;  // of each field
};

WellReader::WellReader(const std::filesystem::path& path)
    : state_(std::make_unique<State>(path, std::move(read_in_child({path}).front()))) {}

WellReader::WellReader(std::unique_ptr<State> state) : state_(std::move(state)) {}

std::vector<WellReader> WellReader::open_all(const std::vector<std::filesystem::path>& paths) {
  std::vector<WellReader> readers;
  if (paths.empty()) return readers;
  std::vector<WellContents> files;
  try {
    files = read_in_child(paths);
  } catch (const Error&) {
    // One by one, the file that HDF5 crashes on is named.
    for (const std::filesystem::path& path : paths) readers.emplace_back(path);
    return readers;
  }
  for (size_t i = 0; i < paths.size(); ++i) {
    readers.push_back(WellReader(std::make_unique<State>(paths[i], std::move(files[i]))));
  }
  return readers;
}

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

  float* channel = out.data();  // of the window's first frame
  std::vector<float> stored;
  for (size_t f = 0; f < state.sources.size(); ++f) {
    const WellPlanes& planes = state.sources[f].planes;
    const int64_t frames = header.fields[f].time_varying ? count : 1;
    if (!state.sources[f].dataset && planes.full()) {
      for (int64_t t = 0; t < frames; ++t) {
        state.read_planes(f, trajectory, first + t, channel + t * frame_size);
      }
    } else {
      stored.resize(static_cast<size_t>(frames * planes.stored_size()));
      state.read_stored(f, trajectory, first, frames, stored.data());
      for (int64_t t = 0; t < frames; ++t) {
        planes.to_planes(stored.data() + t * planes.stored_size(), channel + t * frame_size);
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
  const WellPlanes& planes = state.sources[f].planes;
  const int64_t frames = state.header.fields[f].time_varying ? count : 1;
  const int64_t size = planes.stored_size();
  ensure(static_cast<int64_t>(out.size()) == frames * size, "a field window of another size");
  if (planes.components == 1) return state.read_stored(f, trajectory, first, frames, out.data());
  std::vector<float> stored(out.size());
  state.read_stored(f, trajectory, first, frames, stored.data());
  for (int64_t t = 0; t < frames; ++t) {
    deinterleave(stored.data() + t * size, planes.stored_points, planes.components,
                 out.data() + t * size, planes.stored_points);
  }
}

int64_t WellReader::stored_frame_size(int64_t field) const {
  return state_->sources.at(static_cast<size_t>(field)).planes.stored_size();
}

std::vector<double> WellReader::times(int64_t trajectory) const {
  const State& state = *state_;
  state.check(trajectory, 0, 1);
  if (!state.header.time.sample_varying) return state.header.time.coordinates;
  const hdf5::Lock lock;
  return from_bytes<double>(call_in_child(state.path.string(), kDamaged, [&] {
    const hdf5::Object dimensions = hdf5::Object::open_file(state.path).group("dimensions");
    return to_bytes(read_well_axis(dimensions, state.header.time, trajectory));
  }));
}

}  // namespace roundtrip

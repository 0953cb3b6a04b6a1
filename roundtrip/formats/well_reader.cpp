#include "roundtrip/formats/well_reader.h"

#include <algorithm>
#include <bit>

#include <fcntl.h>
#include <fmt/format.h>

#include "roundtrip/base/error.h"
#include "roundtrip/formats/child_process.h"
#include "roundtrip/formats/file_descriptor.h"
#include "roundtrip/formats/well_archive.h"
#include "roundtrip/formats/well_header.h"

// A field stored as one run of float32 (ours, and what h5py writes by default) is read at its
// address with pread: no HDF5 lock, so that threads read side by side, and vectors are taken apart
// while a piece of the file is in the nearest cache. Chunks of float32, plain or as h5py compresses
// them, are read the same way at theirs (hdf5_chunks.h). Everything else (other number types and
// filters, chunks by the thousands) goes through HDF5's hyperslabs, in a child process: HDF5 1.10
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

// Files whose headers one child reads: starting it costs the more the larger this process is.
constexpr size_t kFilesTogether = 200;

// As h5py names it, but for the byte order.
std::string number_type(const hdf5::Object& dataset) {
  const hdf5::Lock lock;
  const hdf5::Handle type(H5Dget_type(dataset.id()));
  const char* name = H5Tget_class(type.get()) == H5T_FLOAT     ? "float"
                     : H5Tget_sign(type.get()) == H5T_SGN_NONE ? "uint"
                                                               : "int";
  return fmt::format("{}{}", name, 8 * H5Tget_size(type.get()));
}

WellContents read_contents(const std::filesystem::path& path) {
  const hdf5::Object file = hdf5::Object::open_file(path);
  WellContents contents{.header = read_well_header(file), .places = {}, .times = {}};
  int64_t steps = hdf5::kChunkSteps;
  for (const hdf5::Object& dataset : open_well_fields(file, contents.header)) {
    contents.places.push_back({.address = dataset.plain_address(H5T_IEEE_F32LE),
                               .chunks = hdf5::chunk_map(dataset, steps),
                               .type = number_type(dataset)});
  }
  if (contents.header.time.sample_varying) contents.times = read_well_times(file);
  return contents;
}

std::vector<WellContents> read_in_child(std::span<const std::filesystem::path> paths) {
  const auto read = [&] {
    std::vector<WellContents> files;
    for (const std::filesystem::path& path : paths) files.push_back(read_contents(path));
    return pack(files);
  };
  // A header takes a millisecond, and the places of its chunks a fifth of a second at most; among
  // many files a stuck one is found later, one by one.
  const auto more = static_cast<int64_t>(paths.size()) / 2;
  return unpack(hdf5::in_child(paths.front().string(), kDamaged, read, kChildSeconds + more));
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

  /// The same for fields that HDF5 reads, one after the other; null when there are none.
  std::unique_ptr<SharedFloats> read_others(const std::vector<size_t>& fields,
                                            const Window& window) const {
    if (fields.empty()) return nullptr;
    size_t floats = 0;
    double declared = 0;
    for (const size_t f : fields) {
      floats += stored_floats(f, window);
      double bytes = sizeof(float);
      for (const int64_t extent : sources[f].shape) bytes *= static_cast<double>(extent);
      declared += bytes;
    }
    auto shared = std::make_unique<SharedFloats>(floats);
    const auto read = [&] {
      const hdf5::Object file = hdf5::Object::open_file(path);
      float* out = shared->data();
      for (const size_t f : fields) {
        read_by_hdf5(open_well_field(file, header.fields[f]), f, window, out);
        out += stored_floats(f, window);
      }
      return std::string();
    };
    hdf5::in_child(path.string(), kDamaged, read, hdf5::seconds_to_read(declared));
    return shared;
  }

  void read_by_hdf5(const hdf5::Object& dataset, size_t f, const Window& window, float* out) const {
    if (dataset.shape() != sources[f].shape) {
      throw Error("well", fmt::format("{}: the file changed while it was read; leave it alone",
                                      dataset.where()));
    }
    const Block block = block_of(f, window);
    dataset.read_block(block.offsets, block.extents, H5T_NATIVE_FLOAT, out);
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
    : state_(std::make_unique<State>(path, std::move(read_in_child({&path, 1}).front()))) {}

WellReader::WellReader(std::unique_ptr<State> state) : state_(std::move(state)) {}

std::vector<WellReader> WellReader::open_all(const std::vector<std::filesystem::path>& paths) {
  std::vector<WellReader> readers;
  for (size_t start = 0; start < paths.size(); start += kFilesTogether) {
    const auto some =
        std::span(paths).subspan(start, std::min(kFilesTogether, paths.size() - start));
    std::vector<WellContents> files;
    try {
      files = read_in_child(some);
    } catch (const Error&) {
      // One by one, the file that HDF5 crashes on is named.
      for (const std::filesystem::path& path : some) readers.emplace_back(path);
      continue;
    }
    for (size_t i = 0; i < some.size(); ++i) {
      readers.push_back(WellReader(std::make_unique<State>(some[i], std::move(files[i]))));
    }
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

  const Window window{trajectory, first, count};
  std::vector<size_t> others;
  for (size_t f = 0; f < state.sources.size(); ++f) {
    if (!state.sources[f].direct()) others.push_back(f);
  }
  const auto shared = state.read_others(others, window);
  const float* other = shared ? shared->data() : nullptr;

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
  const bool direct = state.sources[f].direct();
  if (direct && planes.components == 1) return state.read_stored(f, window, out.data());
  std::vector<float> stored(direct ? out.size() : 0);
  const auto shared = direct ? nullptr : state.read_others({f}, window);
  if (direct) state.read_stored(f, window, stored.data());
  const float* from = direct ? stored.data() : shared->data();
  for (size_t at = 0; at < out.size(); at += size) {
    deinterleave(from + at, planes.stored_points, planes.components, out.data() + at,
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

#include "roundtrip/io/well_writer.h"

#include <bit>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "roundtrip/base/error.h"
#include "roundtrip/io/file_descriptor.h"
#include "roundtrip/io/reader_call.h"
#include "roundtrip/io/well_archive.h"

// HDF5 writes the header and finds where each field lies: one run of float32 per field. Frames then
// go to their place with pwrite, without HDF5, hence without its lock, in any order, and a full
// disk is an ordinary failed write.

namespace roundtrip {

static_assert(std::endian::native == std::endian::little,
              "frames are stored as they are in memory");

namespace {

// HDF5 that could not write its header stays broken and crashes at exit; in roundtrip-reader it
// may.
ReaderCall writing(const char* task, const std::filesystem::path& path) {
  return {.task = task, .on = path.string(), .advice = "is the disk full?", .writes = true};
}

// Where in the file each field starts.
std::vector<int64_t> create_file(const std::filesystem::path& path, const WellHeader& header) {
  return ask_reader<std::vector<int64_t>>(writing("well_create", path),
                                          std::pair(path.string(), header));
}

void add_notes(const std::filesystem::path& path, const WellNotes& notes) {
  call_reader(writing("well_notes", path), pack_bytes(std::pair(path.string(), notes)));
}

}  // namespace

struct WellWriter::State {
  State(const std::filesystem::path& final_path, WellHeader its_header, AtomicFile::IfExists exists)
      : path(final_path), header(std::move(its_header)), file(final_path, exists) {
    addresses = create_file(file.temporary(), header);
    for (const WellField& field : header.fields) planes.emplace_back(header, field);
    written.resize(static_cast<size_t>(header.n_trajectories * header.frames()), false);
    descriptor = FileDescriptor(file.temporary(), O_WRONLY);
    descriptor.reserve();
  }

  std::filesystem::path path;
  WellHeader header;
  AtomicFile file;
  std::vector<int64_t> addresses;  // of each field, in bytes
  std::vector<WellPlanes> planes;  // of each field
  FileDescriptor descriptor;
  std::mutex mutex;           // guards `written`
  std::vector<bool> written;  // [trajectory, frame]
};

WellWriter::WellWriter(const std::filesystem::path& path, WellHeader header,
                       AtomicFile::IfExists if_exists)
    : state_(std::make_unique<State>(path, std::move(header), if_exists)) {}

WellWriter::~WellWriter() = default;
WellWriter::WellWriter(WellWriter&&) noexcept = default;
WellWriter& WellWriter::operator=(WellWriter&&) noexcept = default;

const WellHeader& WellWriter::header() const { return state_->header; }

void WellWriter::write_frame(int64_t trajectory, int64_t frame, std::span<const float> values) {
  State& state = *state_;
  const WellHeader& header = state.header;
  ensure(state.descriptor.is_open(), "a frame written after the file was finished");
  ensure(trajectory >= 0 && trajectory < header.n_trajectories, "a trajectory outside the file");
  ensure(frame >= 0 && frame < header.frames(), "a frame outside the trajectory");
  ensure(static_cast<int64_t>(values.size()) == header.frame_size(), "a frame of another size");

  std::vector<float> stored;
  const float* channel = values.data();
  for (size_t f = 0; f < header.fields.size(); ++f) {
    const WellField& field = header.fields[f];
    const WellPlanes& planes = state.planes[f];
    const bool stores =
        (field.sample_varying || trajectory == 0) && (field.time_varying || frame == 0);
    if (stores) {
      int64_t index = field.sample_varying ? trajectory : 0;
      if (field.time_varying) index = index * header.frames() + frame;
      const int64_t bytes = planes.stored_size() * static_cast<int64_t>(sizeof(float));
      const bool as_is = planes.components == 1 && planes.full();
      if (!as_is) {
        stored.resize(static_cast<size_t>(planes.stored_size()));
        planes.from_planes(channel, stored.data());
      }
      state.descriptor.write_at(state.addresses[f] + index * bytes, as_is ? channel : stored.data(),
                                bytes);
    }
    channel += planes.components * planes.grid_points;
  }
  const std::lock_guard guard(state.mutex);
  state.written[static_cast<size_t>(trajectory * header.frames() + frame)] = true;
}

void WellWriter::finish(const WellNotes& late_notes) {
  State& state = *state_;
  ensure(state.descriptor.is_open(), "a file finished twice");
  for (size_t i = 0; i < state.written.size(); ++i) {
    const auto frames = static_cast<size_t>(state.header.frames());
    ensure(state.written[i], fmt::format("{}: frame {} of trajectory {} was never written",
                                         state.path.string(), i % frames, i / frames));
  }
  state.descriptor.close();
  if (!late_notes.empty()) add_notes(state.file.temporary(), late_notes);
  state.file.commit();
}

}  // namespace roundtrip

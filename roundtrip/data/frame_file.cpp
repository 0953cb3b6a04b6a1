#include "roundtrip/data/frame_file.h"

#include <cerrno>
#include <cstring>
#include <map>
#include <numeric>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>

#include "roundtrip/base/atomic_file.h"
#include "roundtrip/base/error.h"
#include "roundtrip/base/sha256.h"
#include "roundtrip/io/file_descriptor.h"
#include "roundtrip/io/safetensors.h"

namespace roundtrip {
namespace fs = std::filesystem;
namespace {

constexpr int64_t kLengthField = 8;  // bytes in front of a safetensors header
const std::string kNoDigest(64, '0');

// The length field and the header. Its size does not depend on the digest.
std::string head_of(const FrameFileInfo& info, const std::string& digest) {
  const uint64_t lengths = info.lengths.size() * sizeof(int64_t);
  const auto floats = static_cast<uint64_t>(info.frames() * info.frame.size());
  SafetensorsHeader header;
  header.tensors = {{.name = "lengths",
                     .type = TensorType::i64,
                     .shape = {static_cast<int64_t>(info.lengths.size())},
                     .begin = 0,
                     .end = lengths},
                    {.name = "frames",
                     .type = TensorType::f32,
                     .shape = info.frame.sizes({info.frames()}),
                     .begin = lengths,
                     .end = lengths + floats * sizeof(float)}};
  header.metadata = {{"fingerprint", info.fingerprint}, {"sha256", digest}};
  const std::string text = format_safetensors_header(header);
  const uint64_t size = text.size();
  return std::string(reinterpret_cast<const char*>(&size), kLengthField) + text;
}

[[noreturn]] void fail(const fs::path& path, const std::string& found) {
  throw Error("data", fmt::format("{}: expected a file of frames, found {}; remove it, and it will "
                                  "be made again",
                                  path.string(), found));
}

}  // namespace

int64_t FrameFileInfo::frames() const {
  return std::accumulate(lengths.begin(), lengths.end(), int64_t{0});
}

struct FrameFileWriter::State {
  State(const fs::path& path, FrameFileInfo its_info)
      : info(std::move(its_info)),
        file(path),
        out(file.temporary(), O_WRONLY | O_CREAT | O_TRUNC),
        floats_left(info.frames() * info.frame.size()) {}

  void write(const void* from, size_t bytes) {
    out.write_at(offset, from, static_cast<int64_t>(bytes));
    offset += static_cast<int64_t>(bytes);
  }

  FrameFileInfo info;
  AtomicFile file;
  FileDescriptor out;
  Sha256 digest;
  int64_t offset = 0;
  int64_t floats_left;
};

FrameFileWriter::FrameFileWriter(const fs::path& path, FrameFileInfo info)
    : state_(std::make_unique<State>(path, std::move(info))) {
  const std::string head = head_of(state_->info, kNoDigest);
  state_->write(head.data(), head.size());
  state_->write(state_->info.lengths.data(), state_->info.lengths.size() * sizeof(int64_t));
}

FrameFileWriter::~FrameFileWriter() = default;

const FrameFileInfo& FrameFileWriter::info() const { return state_->info; }

void FrameFileWriter::append(std::span<const float> values) {
  const auto floats = static_cast<int64_t>(values.size());
  ensure(floats % state_->info.frame.size() == 0 && floats <= state_->floats_left,
         "frame file: whole frames that are still missing");
  state_->write(values.data(), values.size_bytes());
  state_->digest.add(std::as_bytes(values));
  state_->floats_left -= floats;
}

void FrameFileWriter::finish() {
  ensure(state_->floats_left == 0, "frame file: all frames written");
  const std::string head = head_of(state_->info, state_->digest.digest());
  state_->out.write_at(0, head.data(), static_cast<int64_t>(head.size()));
  state_->out.close();
  state_->file.commit();
}

struct FrameFile::State {
  ~State() {
    if (memory != nullptr) ::munmap(memory, bytes);
  }

  fs::path path;
  FrameFileInfo info;
  std::string digest;
  std::vector<int64_t> first_frame;  // of each trajectory among all
  void* memory = nullptr;
  size_t bytes = 0;
  const float* frames = nullptr;
};

namespace {

// Reads and checks what the file says; the safetensors layer has checked that its sizes fit.
FrameFileInfo read_info(const SafetensorsFile& file, const fs::path& path) {
  if (!file.contains("lengths") || !file.contains("frames") || file.tensors().size() != 2 ||
      !file.metadata().contains("fingerprint") || !file.metadata().contains("sha256")) {
    fail(path, "other tensors");
  }
  const TensorInfo& lengths = file.find("lengths");
  const TensorInfo& frames = file.find("frames");
  if (lengths.type != TensorType::i64 || lengths.shape.size() != 1 || lengths.begin != 0 ||
      frames.type != TensorType::f32 || frames.shape.size() != 4) {
    fail(path, "tensors of other shapes");
  }
  FrameFileInfo info;
  info.fingerprint = file.metadata().at("fingerprint");
  info.lengths.resize(static_cast<size_t>(lengths.elements()));
  file.read_bytes(lengths, std::as_writable_bytes(std::span(info.lengths)));
  info.frame = {frames.shape[1], frames.shape[2], frames.shape[3]};
  int64_t left = frames.shape[0];
  for (const int64_t length : info.lengths) {
    if (length < 1 || length > left) fail(path, "lengths that do not fit its frames");
    left -= length;
  }
  if (left != 0 || frames.elements() < 1) fail(path, "lengths that do not fit its frames");
  return info;
}

}  // namespace

FrameFile::FrameFile(const fs::path& path) : state_(std::make_unique<State>()) {
  const SafetensorsFile file(path);
  state_->path = path;
  state_->info = read_info(file, path);
  state_->digest = file.metadata().at("sha256");
  int64_t first = 0;
  for (const int64_t length : state_->info.lengths) {
    state_->first_frame.push_back(std::exchange(first, first + length));
  }
  state_->bytes = fs::file_size(path);
  const int id = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  void* memory = id < 0 ? MAP_FAILED : ::mmap(nullptr, state_->bytes, PROT_READ, MAP_SHARED, id, 0);
  const int reason = errno;
  if (id >= 0) ::close(id);
  if (memory == MAP_FAILED) fail(path, std::strerror(reason));
  state_->memory = memory;
  // The tensors cover the rest of the file, the frames its end.
  const uint64_t start = state_->bytes - file.find("frames").byte_count();
  state_->frames = reinterpret_cast<const float*>(static_cast<const char*>(memory) + start);
  if (start % alignof(float) != 0) fail(path, "a header of an odd size");
}

FrameFile::~FrameFile() = default;
FrameFile::FrameFile(FrameFile&&) noexcept = default;
FrameFile& FrameFile::operator=(FrameFile&&) noexcept = default;

const FrameFileInfo& FrameFile::info() const { return state_->info; }

const float* FrameFile::frame(int64_t trajectory, int64_t index) const {
  const auto i = static_cast<size_t>(trajectory);
  ensure(i < state_->info.lengths.size() && index >= 0 && index < state_->info.lengths[i],
         "frame file: a frame of the file");
  return state_->frames + (state_->first_frame[i] + index) * state_->info.frame.size();
}

void FrameFile::verify() const {
  const auto floats = static_cast<size_t>(state_->info.frames() * state_->info.frame.size());
  Sha256 digest;
  digest.add(std::as_bytes(std::span(state_->frames, floats)));
  if (digest.digest() != state_->digest) fail(state_->path, "other values than were written");
}

}  // namespace roundtrip

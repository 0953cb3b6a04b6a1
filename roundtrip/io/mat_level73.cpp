// HDF5 1.10 crashes on some damaged files, so only roundtrip-reader looks at a file with it. Arrays
// stored as one run, MATLAB's and our own uncompressed ones, are then read at their address without
// it; it sends the values of the others.
#include "roundtrip/io/mat_level73.h"

#include <algorithm>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>

#include "roundtrip/base/error.h"
#include "roundtrip/io/hdf5_blocks.h"
#include "roundtrip/io/mat_values.h"
#include "roundtrip/io/mat_variables.h"
#include "roundtrip/io/reader_call.h"

namespace roundtrip {
namespace {

// Planes are read together up to this many floats: the memory the reader's header allows.
constexpr int64_t kMostFloatsTogether = int64_t{1} << 24;

class Level73 : public MatFile {
 public:
  explicit Level73(const std::filesystem::path& path)
      : path_(path),
        file_(path, O_RDONLY),
        found_(ask_reader<std::vector<Level73Variable>>(call("mat_variables"), path.string())) {
    for (const Level73Variable& found : found_) variables_.push_back(found.variable);
  }

  const std::vector<MatVariable>& variables() const override { return variables_; }

  void read_planes(const MatVariable& variable, int64_t first, int64_t count,
                   const PlaneSink& sink) const override {
    const Level73Variable& found = find(variable);
    if (found.address < 0) return read_by_hdf5(found, first, count, sink);
    read_mat_planes(*stream_of(found), stored_as(found), variable.dims, first, count, sink);
  }

  std::vector<double> read_values(const MatVariable& variable) const override {
    const Level73Variable& found = find(variable);
    if (found.address >= 0) {
      return read_mat_values(*stream_of(found), stored_as(found), variable.dims);
    }
    return ask_reader<std::vector<double>>(call("mat_values"),
                                           std::pair(path_.string(), variable.name));
  }

 private:
  const Level73Variable& find(const MatVariable& variable) const {
    for (const Level73Variable& found : found_) {
      if (found.variable.name == variable.name) return found;
    }
    throw Bug("mat: a variable of this file");
  }

  std::unique_ptr<MatStream> stream_of(const Level73Variable& found) const {
    return plain_stream(file_, static_cast<uint64_t>(found.address),
                        static_cast<uint64_t>(found.bytes),
                        fmt::format("{}: variable {}", path_.string(), found.variable.shown()));
  }

  static MatStored stored_as(const Level73Variable& found) {
    return {.type = found.storage, .swap = std::endian::native != std::endian::little, .begin = 0};
  }

  ReaderCall call(const char* task, int64_t seconds = kReaderSeconds) const {
    return {.task = task,
            .on = path_.string(),
            .advice = "it is damaged: download or generate it again",
            .seconds = seconds};
  }

  // As many planes at a time as the memory allows.
  void read_by_hdf5(const Level73Variable& found, int64_t first, int64_t count,
                    const PlaneSink& sink) const {
    const std::vector<int64_t>& dims = found.variable.dims;
    ensure(dims.size() == 3 || dims.size() == 4, "mat: an array of planes has 3 or 4 dimensions");
    const int64_t planes = dims.size() == 4 ? dims[3] : 1;
    const int64_t plane_size = dims[1] * dims[2] * count;
    const int64_t together = std::clamp<int64_t>(
        kMostFloatsTogether / std::max<int64_t>(1, plane_size), 1, std::max<int64_t>(1, planes));
    std::vector<float> values;
    for (int64_t plane = 0; plane < planes; plane += together) {
      const int64_t now = std::min(together, planes - plane);
      DatasetBlock block{.group = "",
                         .dataset = found.variable.name,
                         .shape = {dims.rbegin(), dims.rend()},  // HDF5 lists the slowest first
                         .offsets = {0, 0, first},
                         .extents = {dims[2], dims[1], count}};
      if (dims.size() == 4) {
        block.offsets.insert(block.offsets.begin(), plane);
        block.extents.insert(block.extents.begin(), now);
      }
      values.resize(static_cast<size_t>(now * plane_size));
      call_reader(call("blocks", seconds_to_read(static_cast<double>(found.bytes))),
                  pack_bytes(BlockRequest{path_.string(), {block}}), values);
      for (int64_t k = 0; k < now; ++k) {
        sink(plane + k, {values.data() + k * plane_size, static_cast<size_t>(plane_size)});
      }
    }
  }

  std::filesystem::path path_;
  FileDescriptor file_;
  std::vector<Level73Variable> found_;
  std::vector<MatVariable> variables_;
};

}  // namespace

std::unique_ptr<MatFile> open_mat_level73(const std::filesystem::path& path) {
  return std::make_unique<Level73>(path);
}

}  // namespace roundtrip

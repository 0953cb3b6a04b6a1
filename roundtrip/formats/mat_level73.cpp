// HDF5 1.10 crashes on some damaged files, so it looks at a file in a child process only. Arrays
// stored as one run, MATLAB's and our own uncompressed ones, are then read at their address without
// it; a child reads the others into shared memory.
#include "roundtrip/formats/mat_level73.h"

#include <algorithm>

#include <fcntl.h>
#include <fmt/format.h>

#include "roundtrip/base/error.h"
#include "roundtrip/formats/archive.h"
#include "roundtrip/formats/hdf5.h"
#include "roundtrip/formats/mat_values.h"

namespace roundtrip {

/// What the child found of a variable.
struct Level73Variable {
  MatVariable variable;
  int64_t address = -1;  // of its values, when they are one run
  uint32_t storage = 0;  // and their type
  int64_t bytes = 0;     // declared
};

template <class Archive>
void visit(Archive& archive, Level73Variable& found) {
  archive(found.variable.name, found.variable.type, found.variable.dims, found.address,
          found.storage, found.bytes);
}

namespace {

using hdf5::Handle;
using hdf5::Kind;
using hdf5::Object;

// Planes are read together up to this many floats: the memory the reader's header allows.
constexpr int64_t kMostFloatsTogether = int64_t{1} << 24;
constexpr const char* kDamaged = "it is damaged: download or generate it again";

// The class by the stored type. MATLAB's attribute of that name would tell text and cells apart,
// but they are refused all the same.
std::string class_of(const Object& dataset) {
  const Handle type(H5Dget_type(dataset.id()));
  switch (H5Tget_class(type.get())) {
    case H5T_FLOAT:
      return H5Tget_size(type.get()) <= sizeof(float) ? "single" : "double";
    case H5T_INTEGER:
      return "integer or text";
    case H5T_COMPOUND:
      return "complex";
    case H5T_REFERENCE:
      return "cell";
    default:
      return "other";
  }
}

// Only u, a and t are wanted: what else a file links to does not keep it from being read.
const char* class_without_values(Kind kind) {
  switch (kind) {
    case Kind::group:
      return "struct";
    case Kind::link_to_other_file:
      return "link into another file";
    case Kind::broken_link:
      return "link to nothing";
    default:
      return "other";
  }
}

Level73Variable describe(const Object& dataset, const std::string& name) {
  Level73Variable found{.variable = {name, class_of(dataset), dataset.shape()}};
  std::reverse(found.variable.dims.begin(), found.variable.dims.end());
  if (!found.variable.is_floating()) return found;
  dataset.expect_storage();
  found.bytes = found.variable.type == "single" ? sizeof(float) : sizeof(double);
  for (const int64_t extent : found.variable.dims) {
    if (!__builtin_mul_overflow(found.bytes, extent, &found.bytes)) continue;
    throw Error("mat", fmt::format("{}: expected an array whose bytes can be counted, found {}",
                                   dataset.where(), found.variable.shown()));
  }
  for (const auto& [type, storage] :
       {std::pair{H5T_IEEE_F32LE, kMatSingle}, {H5T_IEEE_F64LE, kMatDouble}}) {
    const int64_t address = dataset.plain_address(type);
    if (address < 0) continue;
    found.address = address;
    found.storage = storage;
  }
  return found;
}

std::vector<Level73Variable> describe_all(const std::filesystem::path& path) {
  const hdf5::Lock lock;
  const Object file = Object::open_file(path);
  std::vector<Level73Variable> all;
  for (const std::string& name : file.children()) {
    const Kind kind = file.kind_of(name);
    if (kind == Kind::dataset) {
      all.push_back(describe(file.dataset(name), name));
    } else if (name != "#refs#" && name != "#subsystem#") {
      // Those hold the members of cells.
      all.push_back({.variable = {name, class_without_values(kind), {}}});
    }
  }
  return all;
}

class Level73 : public MatFile {
 public:
  explicit Level73(const std::filesystem::path& path)
      : path_(path),
        file_(path, O_RDONLY),
        found_(unpack_bytes<std::vector<Level73Variable>>(hdf5::in_child(
            path.string(), kDamaged, [&] { return pack_bytes(describe_all(path)); }))) {
    for (const Level73Variable& found : found_) variables_.push_back(found.variable);
  }

  const std::vector<MatVariable>& variables() const override { return variables_; }

  void read_planes(const MatVariable& variable, int64_t first, int64_t count,
                   const PlaneSink& sink) const override {
    const Level73Variable& found = find(variable);
    if (found.address < 0) return read_in_child(found, first, count, sink);
    read_mat_planes(*stream_of(found), stored_as(found), variable.dims, first, count, sink);
  }

  std::vector<double> read_values(const MatVariable& variable) const override {
    const Level73Variable& found = find(variable);
    if (found.address >= 0) {
      return read_mat_values(*stream_of(found), stored_as(found), variable.dims);
    }
    return from_bytes<double>(hdf5::in_child(path_.string(), kDamaged, [&] {
      const Object file = Object::open_file(path_);
      return to_bytes(file.dataset(variable.name).numbers(kMostFloatsTogether));
    }));
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

  // As many planes at a time as the memory allows.
  void read_in_child(const Level73Variable& found, int64_t first, int64_t count,
                     const PlaneSink& sink) const {
    const std::vector<int64_t>& dims = found.variable.dims;
    ensure(dims.size() == 3 || dims.size() == 4, "mat: an array of planes has 3 or 4 dimensions");
    const int64_t planes = dims.size() == 4 ? dims[3] : 1;
    const int64_t plane_size = dims[1] * dims[2] * count;
    const int64_t together = std::clamp<int64_t>(
        kMostFloatsTogether / std::max<int64_t>(1, plane_size), 1, std::max<int64_t>(1, planes));
    const SharedFloats values(static_cast<size_t>(together * plane_size));
    for (int64_t plane = 0; plane < planes; plane += together) {
      const int64_t now = std::min(together, planes - plane);
      std::vector<int64_t> offsets = {0, 0, first};
      std::vector<int64_t> extents = {dims[2], dims[1], count};
      if (dims.size() == 4) {
        offsets.insert(offsets.begin(), plane);
        extents.insert(extents.begin(), now);
      }
      const auto read = [&] {
        const Object dataset = Object::open_file(path_).dataset(found.variable.name);
        ensure_same_shape(dataset, dims);
        dataset.read_block(offsets, extents, H5T_NATIVE_FLOAT, values.data());
        return std::string();
      };
      hdf5::in_child(path_.string(), kDamaged, read,
                     hdf5::seconds_to_read(static_cast<double>(found.bytes)));
      for (int64_t k = 0; k < now; ++k) {
        sink(plane + k, {values.data() + k * plane_size, static_cast<size_t>(plane_size)});
      }
    }
  }

  // The file may have been replaced since it was opened.
  static void ensure_same_shape(const Object& dataset, const std::vector<int64_t>& dims) {
    const std::vector<int64_t> shape = dataset.shape();
    if (std::equal(shape.rbegin(), shape.rend(), dims.begin(), dims.end())) return;
    throw Error("mat", fmt::format("{}: the file changed while it was read", dataset.where()));
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

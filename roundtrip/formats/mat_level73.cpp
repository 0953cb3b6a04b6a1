#include "roundtrip/formats/mat_level73.h"

#include <algorithm>

#include <fmt/format.h>

#include "roundtrip/base/error.h"
#include "roundtrip/formats/hdf5.h"

namespace roundtrip {
namespace {

using hdf5::Handle;
using hdf5::Lock;
using hdf5::Object;

// Planes are read together up to this many floats, so that a chunk with several is inflated once.
constexpr int64_t kMostFloatsTogether = int64_t{1} << 24;

// The class by the stored type. MATLAB's attribute of that name would tell text and cells apart,
// but they are refused all the same, and HDF5 1.10 reads damaged attributes through freed memory.
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

// The values a floating-point dataset declares must be there: in the file, not outside it, and not
// more than compression could have squeezed into its bytes.
void check_storage(const Object& dataset, const MatVariable& variable) {
  const Handle creation(H5Dget_create_plist(dataset.id()));
  const H5D_layout_t layout = H5Pget_layout(creation.get());
  const bool inside =
      (layout == H5D_CONTIGUOUS || layout == H5D_CHUNKED || layout == H5D_COMPACT) &&
      H5Pget_external_count(creation.get()) == 0;
  uint64_t bytes = sizeof(float);
  bool counted = inside;
  for (const int64_t extent : variable.dims) {
    counted = counted && !__builtin_mul_overflow(bytes, static_cast<uint64_t>(extent), &bytes);
  }
  if (!counted || bytes / kMostInflation > H5Dget_storage_size(dataset.id())) {
    throw Error("mat",
                fmt::format("{}: expected its values in the file, found {} bytes for {}; "
                            "the file is cut short or damaged",
                            dataset.where(), H5Dget_storage_size(dataset.id()), variable.shown()));
  }
}

// How many planes lie in one chunk; 1 for an array that is not chunked.
int64_t planes_in_chunk(const Object& dataset, int64_t planes) {
  const Lock lock;
  const Handle creation(H5Dget_create_plist(dataset.id()));
  if (planes == 1 || H5Pget_layout(creation.get()) != H5D_CHUNKED) return 1;
  hsize_t extents[H5S_MAX_RANK] = {};
  if (H5Pget_chunk(creation.get(), H5S_MAX_RANK, extents) < 1) return 1;
  return std::clamp<int64_t>(static_cast<int64_t>(extents[0]), 1, planes);
}

class Level73 : public MatFile {
 public:
  explicit Level73(const std::filesystem::path& path) : file_(Object::open_file(path)) {
    const Lock lock;
    for (const std::string& name : file_.children()) {
      H5O_info_t info;
      if (H5Oget_info_by_name2(file_.id(), name.c_str(), &info, H5O_INFO_BASIC, H5P_DEFAULT) < 0 ||
          info.type != H5O_TYPE_DATASET) {
        // "#refs#" holds the members of cells; other groups are structs.
        if (name != "#refs#" && name != "#subsystem#") variables_.push_back({name, "struct", {}});
        continue;
      }
      const Object dataset = file_.dataset(name);
      MatVariable variable{name, class_of(dataset), dataset.shape()};
      std::reverse(variable.dims.begin(), variable.dims.end());
      if (variable.is_floating()) check_storage(dataset, variable);
      variables_.push_back(std::move(variable));
    }
  }

  const std::vector<MatVariable>& variables() const override { return variables_; }

  void read_planes(const MatVariable& variable, int64_t first, int64_t count,
                   const PlaneSink& sink) const override {
    const std::vector<int64_t>& dims = variable.dims;
    ensure(dims.size() == 3 || dims.size() == 4, "mat: an array of planes has 3 or 4 dimensions");
    const Object dataset = file_.dataset(variable.name);
    const int64_t planes = dims.size() == 4 ? dims[3] : 1;
    const int64_t plane_size = dims[1] * dims[2] * count;
    const int64_t most =
        std::max<int64_t>(1, kMostFloatsTogether / std::max<int64_t>(1, plane_size));
    const int64_t together = std::min(planes_in_chunk(dataset, planes), most);
    std::vector<float> values(static_cast<size_t>(together * plane_size));
    for (int64_t plane = 0; plane < planes; plane += together) {
      const int64_t now = std::min(together, planes - plane);
      std::vector<int64_t> offsets = {0, 0, first};
      std::vector<int64_t> extents = {dims[2], dims[1], count};
      if (dims.size() == 4) {
        offsets.insert(offsets.begin(), plane);
        extents.insert(extents.begin(), now);
      }
      dataset.read_block(offsets, extents, H5T_NATIVE_FLOAT, values.data());
      for (int64_t k = 0; k < now; ++k) {
        sink(plane + k, {values.data() + k * plane_size, static_cast<size_t>(plane_size)});
      }
    }
  }

  std::vector<double> read_values(const MatVariable& variable) const override {
    return file_.dataset(variable.name).numbers(kMostFloatsTogether);
  }

 private:
  Object file_;
  std::vector<MatVariable> variables_;
};

}  // namespace

std::unique_ptr<MatFile> open_mat_level73(const std::filesystem::path& path) {
  return std::make_unique<Level73>(path);
}

}  // namespace roundtrip

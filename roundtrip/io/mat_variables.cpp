#include "roundtrip/io/mat_variables.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "roundtrip/base/error.h"
#include "roundtrip/io/hdf5.h"
#include "roundtrip/io/mat_values.h"

namespace roundtrip {
namespace {

constexpr int64_t kMostValues = int64_t{1} << 24;

using hdf5::Handle;
using hdf5::Kind;
using hdf5::Object;

// The class by the stored type. MATLAB's attribute of that name distinguishes text and cells too,
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

}  // namespace

std::vector<Level73Variable> describe_mat_variables(const std::filesystem::path& path) {
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

std::vector<double> read_mat_variable(const std::filesystem::path& path, const std::string& name) {
  return Object::open_file(path).dataset(name).numbers(kMostValues);
}

}  // namespace roundtrip

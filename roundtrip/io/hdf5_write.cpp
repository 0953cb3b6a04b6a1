#include "roundtrip/io/hdf5_write.h"

#include <fmt/format.h>

#include "roundtrip/base/error.h"

namespace roundtrip::hdf5 {
namespace {

void write_attribute(hid_t object, const std::string& name, hid_t type, hid_t space,
                     const void* values) {
  const Handle attribute(H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT));
  const bool good =
      attribute && (values == nullptr || H5Awrite(attribute.get(), type, values) >= 0);
  check_write(good ? 0 : -1, name, "write the attribute");
}

// What the system said, without HDF5's addresses and dates: "No space left on device".
std::string system_reason() {
  constexpr std::string_view kBefore = "error message = '";
  const std::string text = reason();
  const size_t start = text.find(kBefore);
  if (start == std::string::npos) return text;
  const size_t first = start + kBefore.size();
  return text.substr(first, text.find('\'', first) - first);
}

Handle file_access() {
  Handle access(H5Pcreate(H5P_FILE_ACCESS));
  H5Pset_libver_bounds(access.get(), H5F_LIBVER_V18, H5F_LIBVER_V18);
  H5Pset_file_locking(access.get(), /*use_file_locking=*/false, /*ignore_when_disabled=*/true);
  return access;
}

Handle list_space(size_t count) {
  const hsize_t extent = count;
  return Handle(H5Screate_simple(1, &extent, nullptr));
}

}  // namespace

void check_write(int64_t status, const std::string& where, std::string_view what) {
  if (status >= 0) return;
  throw Error("hdf5",
              fmt::format("{}: cannot {}: {}; is the disk full?", where, what, system_reason()));
}

Creator::Creator(const std::filesystem::path& path) : path_(path.string()) {
  const Handle access = file_access();
  const Handle creation(H5Pcreate(H5P_FILE_CREATE));
  H5Pset_obj_track_times(creation.get(), false);
  file_ = Handle(H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, creation.get(), access.get()));
  check_write(file_.get(), path_, "create the file");
}

Creator Creator::reopen(const std::filesystem::path& path) {
  const Handle access = file_access();
  Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, access.get()));
  check_write(file.get(), path.string(), "open the file");
  return {path.string(), std::move(file)};
}

Handle Creator::group(hid_t parent, const std::string& name) const {
  const Handle creation(H5Pcreate(H5P_GROUP_CREATE));
  H5Pset_obj_track_times(creation.get(), false);
  Handle group(H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, creation.get(), H5P_DEFAULT));
  check_write(group.get(), path_, fmt::format("make the group {}", name));
  return group;
}

Handle Creator::dataset(hid_t parent, const std::string& name, hid_t type,
                        const std::vector<int64_t>& shape) const {
  const Handle creation(H5Pcreate(H5P_DATASET_CREATE));
  H5Pset_obj_track_times(creation.get(), false);
  H5Pset_layout(creation.get(), H5D_CONTIGUOUS);
  H5Pset_alloc_time(creation.get(), H5D_ALLOC_TIME_EARLY);
  H5Pset_fill_time(creation.get(), H5D_FILL_TIME_NEVER);
  const std::vector<hsize_t> extents(shape.begin(), shape.end());
  const Handle space(extents.empty() ? H5Screate(H5S_SCALAR)
                                     : H5Screate_simple(static_cast<int>(extents.size()),
                                                        extents.data(), nullptr));
  Handle dataset(H5Dcreate2(parent, name.c_str(), type, space.get(), H5P_DEFAULT, creation.get(),
                            H5P_DEFAULT));
  check_write(dataset.get(), path_, fmt::format("make the dataset {}", name));
  return dataset;
}

Handle Creator::numbers(hid_t parent, const std::string& name, const std::vector<int64_t>& shape,
                        const std::vector<double>& values) const {
  Handle result = dataset(parent, name, H5T_IEEE_F32LE, shape);
  check_write(
      H5Dwrite(result.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
      path_, fmt::format("write {}", name));
  return result;
}

int64_t Creator::address(hid_t dataset) {
  const haddr_t address = H5Dget_offset(dataset);
  ensure(address != HADDR_UNDEF, "a contiguous dataset without space");
  return static_cast<int64_t>(address);
}

void Creator::close() { check_write(file_.reset() ? 0 : -1, path_, "write the header"); }

Handle bool_type() {
  const Lock lock;
  Handle type(H5Tenum_create(H5T_STD_I8LE));
  const int8_t no = 0, yes = 1;
  H5Tenum_insert(type.get(), "FALSE", &no);
  H5Tenum_insert(type.get(), "TRUE", &yes);
  return type;
}

void write_text(hid_t object, const std::string& name, const std::string& value) {
  const Lock lock;
  const Handle space(H5Screate(H5S_SCALAR));
  const char* pointer = value.c_str();
  write_attribute(object, name, text_type(H5T_CSET_UTF8).get(), space.get(), &pointer);
}

void write_texts(hid_t object, const std::string& name, const std::vector<std::string>& values) {
  const Lock lock;
  const Handle space = list_space(values.size());
  if (values.empty()) {  // h5py's []: no values, and so a list of float64
    return write_attribute(object, name, H5T_IEEE_F64LE, space.get(), nullptr);
  }
  std::vector<const char*> pointers;
  for (const std::string& value : values) pointers.push_back(value.c_str());
  write_attribute(object, name, text_type(H5T_CSET_UTF8).get(), space.get(), pointers.data());
}

void write_flag(hid_t object, const std::string& name, bool value) {
  const Lock lock;
  const Handle space(H5Screate(H5S_SCALAR));
  const int8_t byte = value ? 1 : 0;
  write_attribute(object, name, bool_type().get(), space.get(), &byte);
}

void write_flags(hid_t object, const std::string& name, const std::vector<bool>& values) {
  const Lock lock;
  const std::vector<int8_t> bytes(values.begin(), values.end());
  write_attribute(object, name, bool_type().get(), list_space(bytes.size()).get(), bytes.data());
}

void write_number(hid_t object, const std::string& name, double value) {
  const Lock lock;
  const Handle space(H5Screate(H5S_SCALAR));
  write_attribute(object, name, H5T_IEEE_F64LE, space.get(), &value);
}

void write_integer(hid_t object, const std::string& name, int64_t value) {
  const Lock lock;
  const Handle space(H5Screate(H5S_SCALAR));
  write_attribute(object, name, H5T_STD_I64LE, space.get(), &value);
}

}  // namespace roundtrip::hdf5

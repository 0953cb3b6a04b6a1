#include "roundtrip/formats/hdf5_write.h"

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

Handle list_space(size_t count) {
  const hsize_t extent = count;
  return Handle(H5Screate_simple(1, &extent, nullptr));
}

}  // namespace

void check_write(int64_t status, const std::string& where, std::string_view what) {
  if (status >= 0) return;
  throw Error("hdf5", fmt::format("{}: cannot {}: {}; is the disk full?", where, what, reason()));
}

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

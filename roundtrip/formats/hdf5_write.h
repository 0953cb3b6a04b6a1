#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "roundtrip/formats/hdf5.h"

namespace roundtrip::hdf5 {

/// An Error unless `status` (an HDF5 identifier or result) is not negative.
void check_write(int64_t status, const std::string& where, std::string_view what);

/// HDF5's ENUM of int8 {FALSE = 0, TRUE = 1}, which h5py reads and writes as bool.
Handle bool_type();

/// Attributes in the types h5py gives to str, list[str], bool, list[bool], float and int.
void write_text(hid_t object, const std::string& name, const std::string& value);
void write_texts(hid_t object, const std::string& name, const std::vector<std::string>& values);
void write_flag(hid_t object, const std::string& name, bool value);
void write_flags(hid_t object, const std::string& name, const std::vector<bool>& values);
void write_number(hid_t object, const std::string& name, double value);
void write_integer(hid_t object, const std::string& name, int64_t value);

}  // namespace roundtrip::hdf5

#pragma once

#include <string>

#include "roundtrip/base/error.h"
#include "roundtrip/io/hdf5.h"

namespace roundtrip {

/// An attribute that is a text of a fixed length, as MATLAB writes it.
inline void write_fixed_text(hid_t object, const std::string& name, const std::string& value) {
  const hdf5::Lock lock;
  const hdf5::Handle space(H5Screate(H5S_SCALAR)), type(H5Tcopy(H5T_C_S1));
  H5Tset_size(type.get(), value.size());
  const hdf5::Handle attribute(
      H5Acreate2(object, name.c_str(), type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT));
  ensure(H5Awrite(attribute.get(), type.get(), value.data()) >= 0, "an attribute written");
}

}  // namespace roundtrip

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "roundtrip/io/hdf5.h"

// Well files as others store them: the same content in chunks.

namespace roundtrip {

/// H5Aiterate2's operator: a copy of one attribute onto the object `*into`.
inline herr_t copy_attribute(hid_t from, const char* name, const H5A_info_t*, void* into) {
  const hdf5::Handle old(H5Aopen(from, name, H5P_DEFAULT));
  const hdf5::Handle type(H5Aget_type(old.get())), space(H5Aget_space(old.get()));
  std::vector<char> value(1 + static_cast<size_t>(H5Sget_simple_extent_npoints(space.get())) *
                                  H5Tget_size(type.get()));
  const hdf5::Handle copy(H5Acreate2(*static_cast<hid_t*>(into), name, type.get(), space.get(),
                                     H5P_DEFAULT, H5P_DEFAULT));
  const bool good = H5Aread(old.get(), type.get(), value.data()) >= 0 &&
                    H5Awrite(copy.get(), type.get(), value.data()) >= 0;
  if (H5Tis_variable_str(type.get()) > 0) {
    H5Dvlen_reclaim(type.get(), space.get(), H5P_DEFAULT, value.data());
  }
  return good ? 0 : -1;
}

/// How the values of a dataset are stored.
struct Storage {
  hid_t type = H5T_IEEE_F32LE;
  bool shuffle = false;
  bool deflate = false;
};

/// Chunks of half the extents, rounded up: most datasets end within one.
inline hdf5::Handle in_chunks(hid_t space, const Storage& storage) {
  std::vector<hsize_t> chunk(static_cast<size_t>(H5Sget_simple_extent_ndims(space)));
  H5Sget_simple_extent_dims(space, chunk.data(), nullptr);
  for (hsize_t& extent : chunk) extent = (extent + 1) / 2;
  hdf5::Handle creation(H5Pcreate(H5P_DATASET_CREATE));
  H5Pset_chunk(creation.get(), static_cast<int>(chunk.size()), chunk.data());
  if (storage.shuffle) H5Pset_shuffle(creation.get());
  if (storage.deflate) H5Pset_deflate(creation.get(), 4);
  return creation;
}

/// Stores these fields of a Well file in chunks, with their attributes as they were.
inline void store_in_chunks(const std::filesystem::path& path,
                            const std::vector<std::string>& names, const Storage& storage) {
  const hdf5::Lock lock;
  const hdf5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT));
  for (const std::string& name : names) {
    const hdf5::Handle old(H5Dopen2(file.get(), name.c_str(), H5P_DEFAULT));
    const hdf5::Handle space(H5Dget_space(old.get()));
    std::vector<float> values(static_cast<size_t>(H5Sget_simple_extent_npoints(space.get())));
    ASSERT_GE(H5Dread(old.get(), H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
              0);
    const hdf5::Handle creation = in_chunks(space.get(), storage);
    const hdf5::Handle copy(H5Dcreate2(file.get(), "copy", storage.type, space.get(), H5P_DEFAULT,
                                       creation.get(), H5P_DEFAULT));
    ASSERT_GE(H5Dwrite(copy.get(), H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
              0);
    hid_t target = copy.get();
    ASSERT_GE(H5Aiterate2(old.get(), H5_INDEX_NAME, H5_ITER_INC, nullptr, copy_attribute, &target),
              0);
    ASSERT_GE(H5Ldelete(file.get(), name.c_str(), H5P_DEFAULT), 0);
    ASSERT_GE(H5Lmove(file.get(), "copy", file.get(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT), 0);
  }
}

}  // namespace roundtrip

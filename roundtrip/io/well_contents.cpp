#include "roundtrip/io/well_contents.h"

#include <fmt/format.h>

#include "roundtrip/io/well_header.h"

namespace roundtrip {
namespace {

// As h5py names it, but for the byte order.
std::string number_type(const hdf5::Object& dataset) {
  const hdf5::Lock lock;
  const hdf5::Handle type(H5Dget_type(dataset.id()));
  const char* name = H5Tget_class(type.get()) == H5T_FLOAT     ? "float"
                     : H5Tget_sign(type.get()) == H5T_SGN_NONE ? "uint"
                                                               : "int";
  return fmt::format("{}{}", name, 8 * H5Tget_size(type.get()));
}

}  // namespace

WellContents read_well_contents(const std::filesystem::path& path) {
  const hdf5::Object file = hdf5::Object::open_file(path);
  WellContents contents{.header = read_well_header(file), .places = {}, .times = {}};
  int64_t steps = hdf5::kChunkSteps;
  for (const hdf5::Object& dataset : open_well_fields(file, contents.header)) {
    contents.places.push_back({.address = dataset.plain_address(H5T_IEEE_F32LE),
                               .chunks = hdf5::chunk_map(dataset, steps),
                               .type = number_type(dataset)});
  }
  if (contents.header.time.sample_varying) contents.times = read_well_times(file);
  return contents;
}

}  // namespace roundtrip

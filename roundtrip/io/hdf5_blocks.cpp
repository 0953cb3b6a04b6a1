#include "roundtrip/io/hdf5_blocks.h"

#include <fmt/format.h>

#include "roundtrip/base/error.h"
#include "roundtrip/io/hdf5.h"

namespace roundtrip {
namespace {

size_t bytes_of(const DatasetBlock& block) {
  size_t bytes = sizeof(float);
  for (const int64_t extent : block.extents) bytes *= static_cast<size_t>(extent);
  return bytes;
}

// The file may have been replaced since its header was read.
void expect_shape(const hdf5::Object& dataset, const std::vector<int64_t>& shape) {
  if (dataset.shape() == shape) return;
  throw Error("hdf5", fmt::format("{}: the file changed while it was read; leave it alone",
                                  dataset.where()));
}

}  // namespace

std::string read_blocks(const BlockRequest& request) {
  size_t bytes = 0;
  for (const DatasetBlock& block : request.blocks) bytes += bytes_of(block);
  std::string values(bytes, '\0');
  char* out = values.data();
  const hdf5::Object file = hdf5::Object::open_file(request.path);
  for (const DatasetBlock& block : request.blocks) {
    const hdf5::Object dataset = block.group.empty()
                                     ? file.dataset(block.dataset)
                                     : file.group(block.group).dataset(block.dataset);
    expect_shape(dataset, block.shape);
    dataset.read_block(block.offsets, block.extents, H5T_NATIVE_FLOAT, out);
    out += bytes_of(block);
  }
  return values;
}

}  // namespace roundtrip

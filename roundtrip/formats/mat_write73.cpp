// Level 7.3 is HDF5 behind a block of 512 bytes that begins with a MAT header. As in well_writer:
// HDF5 lays the file out in a child process, since it stays broken when the disk is full, and the
// values are written to their places with pwrite.
#include <algorithm>

#include <fcntl.h>

#include "roundtrip/base/error.h"
#include "roundtrip/formats/child_process.h"
#include "roundtrip/formats/file_descriptor.h"
#include "roundtrip/formats/hdf5_write.h"
#include "roundtrip/formats/mat_write.h"

namespace roundtrip {
namespace {

constexpr int64_t kUserBlock = 512;

// The addresses of the arrays' values.
std::vector<int64_t> lay_out(const std::filesystem::path& path,
                             const std::vector<MatArray>& arrays) {
  const hdf5::Lock lock;
  // The oldest file format, which MATLAB writes and every release of it reads.
  hdf5::Creator creator(path, {.oldest_format = true, .user_block = kUserBlock});
  std::vector<int64_t> addresses;
  for (const MatArray& array : arrays) {
    // HDF5 lists the slowest index first.
    const std::vector<int64_t> shape(array.dims.rbegin(), array.dims.rend());
    const hdf5::Handle dataset = creator.dataset(creator.root(), array.name, H5T_IEEE_F32LE, shape);
    hdf5::write_fixed_text(dataset.get(), "MATLAB_class", "single");
    addresses.push_back(hdf5::Creator::address(dataset.get()));
  }
  creator.close();
  return addresses;
}

}  // namespace

void write_mat_level73(const std::filesystem::path& path, const std::vector<MatArray>& arrays) {
  const auto addresses = from_bytes<int64_t>(hdf5::in_child(
      path.string(), "is the disk full?", [&] { return to_bytes(lay_out(path, arrays)); }));
  const FileDescriptor file(path, O_WRONLY);
  file.reserve();
  const std::string header = mat_header(/*level73=*/true);
  file.write_at(0, header.data(), static_cast<int64_t>(header.size()));
  for (size_t i = 0; i < arrays.size(); ++i) {
    file.write_at(addresses[i], arrays[i].values.data(),
                  static_cast<int64_t>(arrays[i].values.size_bytes()));
  }
}

}  // namespace roundtrip

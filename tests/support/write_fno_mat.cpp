// MATLAB arrays are column-major: u(n, i, j, t) lies at n + N (i + H (j + W t)). Level 7.3 is HDF5
// behind a block of 512 bytes that begins with a MAT header. matio, SciPy and h5py read these files
// in tests/io/fno_mat_test.cpp.
#include "tests/support/write_fno_mat.h"

#include <fstream>
#include <string>

#include "roundtrip/base/error.h"
#include "roundtrip/io/hdf5.h"
#include "tests/support/hdf5_text.h"
#include "tests/support/mat_builder.h"

namespace roundtrip {
namespace {

struct Array {
  std::string name;
  std::vector<int32_t> dims;  // the first index runs fastest
  std::vector<float> values;
};

std::vector<Array> arrays_of(const FnoMat& data) {
  const int64_t count = data.trajectories, height = data.height, width = data.width;
  const auto frames = static_cast<int64_t>(data.times.size());
  ensure(static_cast<int64_t>(data.solution.size()) == count * frames * height * width,
         "a solution of its dimensions");
  std::vector<float> u(data.solution.size()), a(data.initial.size());
  for (int64_t n = 0; n < count; ++n) {
    for (int64_t i = 0; i < height; ++i) {
      for (int64_t j = 0; j < width; ++j) {
        const int64_t start = n + count * (i + height * j);
        if (!a.empty()) a[start] = data.initial[(n * height + i) * width + j];
        for (int64_t t = 0; t < frames; ++t) {
          u[start + count * height * width * t] =
              data.solution[((n * frames + t) * height + i) * width + j];
        }
      }
    }
  }
  const auto dim = [](int64_t extent) { return static_cast<int32_t>(extent); };
  std::vector<Array> arrays;
  if (!a.empty()) arrays.push_back({"a", {dim(count), dim(height), dim(width)}, a});
  arrays.push_back({"u", {dim(count), dim(height), dim(width), dim(frames)}, u});
  arrays.push_back({"t", {1, dim(frames)}, {data.times.begin(), data.times.end()}});
  return arrays;
}

std::string level5_bytes(const std::vector<Array>& arrays, bool compress) {
  const Builder build;
  std::string bytes = build.header();
  for (const Array& array : arrays) {
    const std::string values(reinterpret_cast<const char*>(array.values.data()),
                             array.values.size() * sizeof(float));
    const std::string matrix =
        build.matrix(/*class_index=*/7, array.dims, array.name, build.element(7, values));
    bytes += compress ? build.compressed(matrix) : matrix;
  }
  return bytes;
}

void write_level73(const std::filesystem::path& path, const std::vector<Array>& arrays) {
  constexpr hsize_t kUserBlock = 512;
  {
    const hdf5::Lock lock;
    const hdf5::Handle creation(H5Pcreate(H5P_FILE_CREATE));
    H5Pset_userblock(creation.get(), kUserBlock);
    const hdf5::Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation.get(), H5P_DEFAULT));
    for (const Array& array : arrays) {
      // HDF5 lists the slowest index first.
      const std::vector<hsize_t> shape(array.dims.rbegin(), array.dims.rend());
      const hdf5::Handle space(
          H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr));
      const hdf5::Handle dataset(H5Dcreate2(file.get(), array.name.c_str(), H5T_IEEE_F32LE,
                                            space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
      ensure(H5Dwrite(dataset.get(), H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                      array.values.data()) >= 0,
             "an array that can be written");
      write_fixed_text(dataset.get(), "MATLAB_class", "single");
    }
  }
  std::string header = "MATLAB 7.3 MAT-file, by a test";
  header.resize(116, ' ');
  header.resize(124, '\0');
  header += std::string("\0\2IM", 4);
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file << header;
}

}  // namespace

void write_fno_mat(const std::filesystem::path& path, const FnoMat& data, MatLevel level) {
  const std::vector<Array> arrays = arrays_of(data);
  std::filesystem::remove(path);  // overwriting in place makes some file systems sync
  if (level == MatLevel::level73) return write_level73(path, arrays);
  std::ofstream(path, std::ios::binary)
      << level5_bytes(arrays, level == MatLevel::level5_compressed);
}

}  // namespace roundtrip

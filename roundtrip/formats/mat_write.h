#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace roundtrip {

/// An array of single precision for a MAT file.
struct MatArray {
  std::string name;               // up to four letters
  std::vector<int64_t> dims;      // MATLAB's order: the first index runs fastest
  std::span<const float> values;  // as many as the dims say, less than 4 GB of them in level 5
};

/// Write a MAT file; the bytes depend on the arrays (and our version) only. Every write is checked:
/// a full disk is an Error, and leaves what there was room for behind.
void write_mat_level5(const std::filesystem::path& path, const std::vector<MatArray>& arrays,
                      bool compress);
void write_mat_level73(const std::filesystem::path& path, const std::vector<MatArray>& arrays);

/// The first 128 bytes of a MAT file: a text, the version, the byte order.
std::string mat_header(bool level73);

}  // namespace roundtrip

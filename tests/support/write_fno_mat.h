#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace roundtrip {

/// Trajectories to write as a MAT file of FNO's kind (roundtrip/io/fno_mat.h).
struct FnoMat {
  int64_t trajectories = 0;         // N
  int64_t height = 0;               // H
  int64_t width = 0;                // W
  std::vector<double> times;        // T of them
  std::vector<float> initial = {};  // [N, H, W], or empty to leave `a` out
  std::vector<float> solution;      // [N, T, H, W]
};

enum class MatLevel { level5, level5_compressed, level73 };

/// Writes `a`, `u` and `t` in single precision.
void write_fno_mat(const std::filesystem::path& path, const FnoMat& data, MatLevel level);

}  // namespace roundtrip

#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "roundtrip/io/mat_file.h"

namespace roundtrip {

/// The Navier-Stokes data of the Fourier neural operator, "NavierStokes_V1e-5_N1200_T20.mat":
/// `u` (N, H, W, T) the vorticity, `a` (N, H, W) the vorticity at time 0 if it is there, `t` the T
/// times (1, 2, ... when it is not). Level 5, compressed or not, and 7.3; single or double.
///
/// Opening reads sizes and times. Reading takes N_read * H * W floats beside the caller's array
/// (chunked level 7.3: up to 64 MB more), so a file larger than memory is read in windows. In the
/// file the trajectory index runs fastest: a window of few trajectories still touches every page of
/// it, so few large windows are faster than many small ones. Thread-safe.
class FnoMatReader {
 public:
  explicit FnoMatReader(const std::filesystem::path& path);

  int64_t trajectories() const { return trajectories_; }  // N
  int64_t height() const { return height_; }              // H, along x
  int64_t width() const { return width_; }                // W, along y
  int64_t frames() const { return frames_; }              // T
  const std::vector<double>& times() const { return times_; }
  const MatVariable& solution() const { return *solution_; }  // u
  const MatVariable* initial() const { return initial_; }     // a; null when it is not there
  bool has_initial() const { return initial_ != nullptr; }

  /// The vorticity of trajectories [first, first + count), [count, T, H, W].
  void read(int64_t first, int64_t count, std::span<float> out) const;
  /// Their vorticity at time 0, [count, H, W]; only when has_initial().
  void read_initial(int64_t first, int64_t count, std::span<float> out) const;

 private:
  std::unique_ptr<MatFile> file_;
  const MatVariable* solution_ = nullptr;  // u
  const MatVariable* initial_ = nullptr;   // a
  int64_t trajectories_ = 0;
  int64_t height_ = 0;
  int64_t width_ = 0;
  int64_t frames_ = 0;
  std::vector<double> times_;
};

}  // namespace roundtrip

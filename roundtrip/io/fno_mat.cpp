// MATLAB arrays are column-major: u(n, i, j, t) lies at n + N (i + H (j + W t)), so a frame of all
// trajectories is one run, and reading transposes each frame from [W][H][N] to [N][H][W].
#include "roundtrip/io/fno_mat.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "roundtrip/base/error.h"

namespace roundtrip {
namespace fs = std::filesystem;
namespace {

constexpr int64_t kTile = 16;  // trajectories copied together: a cache line of the file

// One frame of the file, [W][H][count], seen as a function of trajectory, row and column.
struct Plane {
  int64_t count, height, width;
  int64_t at(int64_t n, int64_t i, int64_t j) const { return n + count * (i + height * j); }
};

// Copies a frame of the file to rows [H][W] that begin `stride` floats apart, one per trajectory. A
// tile of trajectories goes through a small array, because both sides step by multiples of the page
// size, which would drive each other out of the cache.
void from_columns(const Plane& plane, const float* columns, float* rows, int64_t stride) {
  std::vector<float> tile(static_cast<size_t>(kTile * plane.width));
  for (int64_t begin = 0; begin < plane.count; begin += kTile) {
    const int64_t length = std::min(kTile, plane.count - begin);
    for (int64_t i = 0; i < plane.height; ++i) {
      for (int64_t j = 0; j < plane.width; ++j) {
        const float* column = columns + plane.at(begin, i, j);
        for (int64_t n = 0; n < length; ++n) tile[n * plane.width + j] = column[n];
      }
      for (int64_t n = 0; n < length; ++n) {
        std::copy_n(&tile[n * plane.width], plane.width,
                    rows + (begin + n) * stride + i * plane.width);
      }
    }
  }
}

std::string contents_of(const MatFile& file) {
  constexpr size_t kShown = 8;
  std::vector<std::string> lines;
  for (const MatVariable& variable : file.variables()) {
    if (lines.size() == kShown) {
      lines.emplace_back("...");
      break;
    }
    lines.push_back(variable.shown());
  }
  return lines.empty() ? "nothing" : fmt::format("{}", fmt::join(lines, ", "));
}

const MatVariable* find(const MatFile& file, const std::string& name) {
  for (const MatVariable& variable : file.variables()) {
    if (variable.name == name) return &variable;
  }
  return nullptr;
}

[[noreturn]] void fail(const fs::path& path, const std::string& expected,
                       const std::string& found) {
  throw Error("fno_mat", fmt::format("{}: expected {}, found {}; save the arrays themselves so",
                                     path.string(), expected, found));
}

// Fails unless u is a non-empty floating-point array of rank 4 whose size can be counted in bytes.
void check_solution(const fs::path& path, const MatFile& file) {
  const char* expected = "variable u, single or double (N, H, W, T)";
  const MatVariable* u = find(file, "u");
  if (u == nullptr) fail(path, expected, contents_of(file));
  if (!u->is_floating() || u->dims.size() != 4) fail(path, expected, u->shown());
  int64_t bytes = sizeof(float);
  for (const int64_t extent : u->dims) {
    if (extent < 1 || __builtin_mul_overflow(bytes, extent, &bytes)) {
      fail(path, expected, u->shown());
    }
  }
  // A damaged extent may claim any number; the times of this many take 80 MB.
  constexpr int64_t kMostFrames = 10'000'000;
  if (u->dims[3] > kMostFrames) {
    fail(path, fmt::format("at most {} frames in variable u", kMostFrames), u->shown());
  }
}

std::vector<double> read_times(const fs::path& path, const MatFile& file, int64_t frames) {
  std::vector<double> times(static_cast<size_t>(frames));
  std::iota(times.begin(), times.end(), 1.0);
  const MatVariable* t = find(file, "t");
  if (t == nullptr) return times;
  const bool is_list = t->is_floating() && t->dims.size() == 2 &&
                       std::min(t->dims[0], t->dims[1]) == 1 &&
                       std::max(t->dims[0], t->dims[1]) == frames;
  if (!is_list) fail(path, fmt::format("variable t, the {} times of u", frames), t->shown());
  times = file.read_values(*t);
  for (size_t i = 0; i < times.size(); ++i) {
    if (std::isfinite(times[i]) && (i == 0 || times[i] > times[i - 1])) continue;
    fail(path, "times in variable t that increase",
         i == 0 ? fmt::format("{}", times[0]) : fmt::format("{}, {}", times[i - 1], times[i]));
  }
  return times;
}

}  // namespace

FnoMatReader::FnoMatReader(const fs::path& path) : file_(open_mat_file(path)) {
  check_solution(path, *file_);
  solution_ = find(*file_, "u");
  trajectories_ = solution_->dims[0];
  height_ = solution_->dims[1];
  width_ = solution_->dims[2];
  frames_ = solution_->dims[3];
  times_ = read_times(path, *file_, frames_);
  initial_ = find(*file_, "a");
  const std::vector<int64_t> expected = {trajectories_, height_, width_};
  if (initial_ != nullptr && (!initial_->is_floating() || initial_->dims != expected)) {
    fail(path, fmt::format("variable a, single or double ({}) like u", fmt::join(expected, ", ")),
         initial_->shown());
  }
}

void FnoMatReader::read(int64_t first, int64_t count, std::span<float> out) const {
  ensure(first >= 0 && count >= 0 && first <= trajectories_ - count, "fno_mat: a window in range");
  ensure(static_cast<int64_t>(out.size()) == count * frames_ * height_ * width_,
         "fno_mat: the array has the window's size");
  const Plane plane{count, height_, width_};
  const int64_t frame = height_ * width_;
  file_->read_planes(*solution_, first, count, [&](int64_t t, std::span<const float> columns) {
    from_columns(plane, columns.data(), out.data() + t * frame, frames_ * frame);
  });
}

void FnoMatReader::read_initial(int64_t first, int64_t count, std::span<float> out) const {
  ensure(has_initial(), "fno_mat: a file with initial states");
  ensure(first >= 0 && count >= 0 && first <= trajectories_ - count, "fno_mat: a window in range");
  ensure(static_cast<int64_t>(out.size()) == count * height_ * width_,
         "fno_mat: the array has the window's size");
  file_->read_planes(*initial_, first, count, [&](int64_t, std::span<const float> columns) {
    from_columns({count, height_, width_}, columns.data(), out.data(), height_ * width_);
  });
}

}  // namespace roundtrip

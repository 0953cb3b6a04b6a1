// MATLAB arrays are column-major: u(n, i, j, t) lies at n + N (i + H (j + W t)), so a frame of all
// trajectories is one run, and reading transposes each frame from [W][H][N] to [N][H][W].
#include "roundtrip/formats/fno_mat.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "roundtrip/base/atomic_file.h"
#include "roundtrip/base/error.h"
#include "roundtrip/formats/mat_write.h"

namespace roundtrip {
namespace fs = std::filesystem;
namespace {

constexpr int64_t kTile = 16;  // trajectories copied together: a cache line of the file

// One frame of the file, [W][H][count], seen as a function of trajectory, row and column.
struct Plane {
  int64_t count, height, width;
  int64_t at(int64_t n, int64_t i, int64_t j) const { return n + count * (i + height * j); }
};

// Calls `visit(begin, end, i)` for rows i of tiles of trajectories [begin, end).
template <class Visit>
void for_each_tile(const Plane& plane, Visit visit) {
  for (int64_t begin = 0; begin < plane.count; begin += kTile) {
    for (int64_t i = 0; i < plane.height; ++i) {
      visit(begin, std::min(begin + kTile, plane.count), i);
    }
  }
}

// Copies a frame of the file to rows [H][W] that begin `stride` floats apart, one per trajectory. A
// tile goes through a small array, because both sides step by multiples of the page size, which
// would drive each other out of the cache.
void from_columns(const Plane& plane, const float* columns, float* rows, int64_t stride) {
  std::vector<float> tile(static_cast<size_t>(kTile * plane.width));
  for_each_tile(plane, [&](int64_t begin, int64_t end, int64_t i) {
    for (int64_t j = 0; j < plane.width; ++j) {
      const float* column = columns + plane.at(begin, i, j);
      for (int64_t n = 0; n < end - begin; ++n) tile[n * plane.width + j] = column[n];
    }
    for (int64_t n = begin; n < end; ++n) {
      std::copy_n(&tile[(n - begin) * plane.width], plane.width,
                  rows + n * stride + i * plane.width);
    }
  });
}

// The reverse; in the rows neighbouring cells are `cell` floats apart.
void to_columns(const Plane& plane, const float* rows, int64_t stride, int64_t cell,
                float* columns) {
  std::vector<float> tile(static_cast<size_t>(kTile * plane.width));
  for_each_tile(plane, [&](int64_t begin, int64_t end, int64_t i) {
    for (int64_t n = begin; n < end; ++n) {
      const float* row = rows + n * stride + i * plane.width * cell;
      for (int64_t j = 0; j < plane.width; ++j) tile[(n - begin) * plane.width + j] = row[j * cell];
    }
    for (int64_t j = 0; j < plane.width; ++j) {
      float* column = columns + plane.at(begin, i, j);
      for (int64_t n = 0; n < end - begin; ++n) column[n] = tile[n * plane.width + j];
    }
  });
}

// Turns one trajectory from [T][cells] to [cells][T] in place, by a copy that fits the cache.
void move_time_last(std::span<float> trajectory, int64_t frames, std::vector<float>& copy) {
  copy.assign(trajectory.begin(), trajectory.end());
  const int64_t cells = static_cast<int64_t>(trajectory.size()) / frames;
  for (int64_t cell = 0; cell < cells; ++cell) {
    for (int64_t t = 0; t < frames; ++t) trajectory[cell * frames + t] = copy[t * cells + cell];
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

void FnoMatReader::read(int64_t first, int64_t count, TimeAxis time, std::span<float> out) const {
  ensure(first >= 0 && count >= 0 && first <= trajectories_ - count, "fno_mat: a window in range");
  ensure(static_cast<int64_t>(out.size()) == count * frames_ * height_ * width_,
         "fno_mat: the array has the window's size");
  const Plane plane{count, height_, width_};
  const int64_t frame = height_ * width_;
  file_->read_planes(*solution_, first, count, [&](int64_t t, std::span<const float> columns) {
    from_columns(plane, columns.data(), out.data() + t * frame, frames_ * frame);
  });
  if (time == TimeAxis::first) return;
  std::vector<float> copy;
  for (int64_t n = 0; n < count; ++n) {
    move_time_last(out.subspan(n * frames_ * frame, frames_ * frame), frames_, copy);
  }
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

void write_fno_mat(const fs::path& path, const FnoMat& data, MatLevel level) {
  const auto frames = static_cast<int64_t>(data.times.size());
  const int64_t cells = data.trajectories * data.height * data.width;
  ensure(cells > 0 && frames > 0 && static_cast<int64_t>(data.solution.size()) == cells * frames,
         "fno_mat: the solution has the size of its dimensions");
  ensure(data.initial.empty() || static_cast<int64_t>(data.initial.size()) == cells,
         "fno_mat: the initial states have the size of their dimensions");
  if (level != MatLevel::level73 &&
      data.solution.size_bytes() + 1024 > std::numeric_limits<uint32_t>::max()) {
    throw Error("fno_mat", fmt::format("{}: {} bytes do not fit a MAT file of level 5; use 7.3",
                                       path.string(), data.solution.size_bytes()));
  }
  const Plane plane{data.trajectories, data.height, data.width};
  const int64_t frame = data.height * data.width;
  std::vector<float> solution(data.solution.size()), initial(data.initial.size());
  for (int64_t t = 0; t < frames; ++t) {
    const bool first = data.time == TimeAxis::first;
    to_columns(plane, data.solution.data() + t * (first ? frame : 1), frame * frames,
               first ? 1 : frames, solution.data() + t * cells);
  }
  const std::vector<float> times(data.times.begin(), data.times.end());
  std::vector<MatArray> arrays;
  if (!initial.empty()) {
    to_columns(plane, data.initial.data(), frame, 1, initial.data());
    arrays.push_back({"a", {data.trajectories, data.height, data.width}, initial});
  }
  arrays.push_back({"u", {data.trajectories, data.height, data.width, frames}, solution});
  arrays.push_back({"t", {1, frames}, times});
  AtomicFile file(path);
  if (level == MatLevel::level73) {
    write_mat_level73(file.temporary(), arrays);
  } else {
    write_mat_level5(file.temporary(), arrays, level == MatLevel::level5_compressed);
  }
  file.commit();
}

}  // namespace roundtrip

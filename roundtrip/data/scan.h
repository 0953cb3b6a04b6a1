#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "roundtrip/data/dataset.h"

namespace roundtrip {

/// Neighbouring frames of a trajectory.
struct FramePiece {
  int64_t trajectory = 0;
  int64_t first = 0;
  int64_t count = 0;
};

/// Cuts a split into pieces of at most 64 MB (or one frame), in order; not dependent on threads.
std::vector<FramePiece> frame_pieces(const Dataset& dataset, Split split);

/// Reads a split once, in order: `look(i, values)` sees every piece in any order, from any thread;
/// `take(i, values)`, if given, sees them afterwards in order, one at a time. Memory: 64 MB per
/// thread. Stops when the user asks to.
void scan_frames(const Dataset& dataset, Split split, const std::vector<FramePiece>& pieces,
                 int64_t threads, const std::function<void(size_t, std::span<const float>)>& look,
                 const std::function<void(size_t, std::span<const float>)>& take = {});

}  // namespace roundtrip

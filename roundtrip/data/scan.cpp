#include "roundtrip/data/scan.h"

#include <algorithm>

#include "roundtrip/base/interrupt.h"
#include "roundtrip/base/threads.h"

namespace roundtrip {

std::vector<FramePiece> frame_pieces(const Dataset& dataset, Split split) {
  constexpr int64_t kPieceFloats = int64_t{16} << 20;
  const int64_t most = std::max<int64_t>(1, kPieceFloats / dataset.layout().frame_size());
  std::vector<FramePiece> pieces;
  for (int64_t i = 0; i < dataset.trajectories(split); ++i) {
    const int64_t frames = dataset.frames(split, i);
    for (int64_t first = 0; first < frames; first += most) {
      pieces.push_back({i, first, std::min(most, frames - first)});
    }
  }
  return pieces;
}

void scan_frames(const Dataset& dataset, Split split, const std::vector<FramePiece>& pieces,
                 int64_t threads, const std::function<void(size_t, std::span<const float>)>& look,
                 const std::function<void(size_t, std::span<const float>)>& take) {
  const auto together = static_cast<size_t>(std::max<int64_t>(threads, 1));
  std::vector<std::vector<float>> values(together);
  for (size_t start = 0; start < pieces.size(); start += together) {
    const size_t count = std::min(together, pieces.size() - start);
    parallel_for(static_cast<int64_t>(count), threads, [&](int64_t slot) {
      stop_if_interrupted();
      const size_t i = start + static_cast<size_t>(slot);
      std::vector<float>& own = values[static_cast<size_t>(slot)];
      own.resize(static_cast<size_t>(pieces[i].count * dataset.layout().frame_size()));
      dataset.read_into(split, pieces[i].trajectory, pieces[i].first, pieces[i].count, own);
      if (look) look(i, own);
    });
    if (!take) continue;
    for (size_t slot = 0; slot < count; ++slot) take(start + slot, values[slot]);
  }
}

}  // namespace roundtrip

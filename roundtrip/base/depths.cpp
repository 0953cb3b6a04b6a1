#include "roundtrip/base/depths.h"

namespace roundtrip {

std::vector<int64_t> doubling_depths(int64_t deepest) {
  std::vector<int64_t> depths;
  for (int64_t d = 1; d <= deepest; d *= 2) depths.push_back(d);
  return depths;
}

std::vector<int64_t> measured_depths(int64_t deepest) {
  std::vector<int64_t> depths;
  for (int64_t d = 1; d <= deepest && d < 4; ++d) depths.push_back(d);
  for (int64_t octave = 1; 4 * octave <= deepest; octave *= 2) {
    for (const int64_t d : {4 * octave, 5 * octave, 6 * octave}) {
      if (d <= deepest) depths.push_back(d);
    }
  }
  // A last one that says the same as the one before it takes its place.
  if (deepest > 8 && 8 * (deepest - depths.back()) < deepest) depths.pop_back();
  if (deepest > 0 && (depths.empty() || depths.back() < deepest)) depths.push_back(deepest);
  return depths;
}

}  // namespace roundtrip

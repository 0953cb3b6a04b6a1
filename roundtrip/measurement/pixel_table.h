#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "roundtrip/calibration/calibrator.h"
#include "roundtrip/calibration/curves.h"
#include "roundtrip/calibration/pixel_tally.h"
#include "roundtrip/data/dataset.h"
#include "roundtrip/rollout/surrogate.h"

namespace roundtrip {

/// Rollouts whose pixels are looked at, and their curves, which hold C.
struct PixelSource {
  const Dataset* dataset = nullptr;
  Split split = Split::test;
  CurveTable curves;  // of all trajectories of the split, depths from 1 on
};

struct PixelTableRequest {
  PixelSource calibration;  // fits scale and mixing of every object
  PixelSource test;
  int64_t depth = 1;
  int64_t samples = 5;
};

/// Fits all uncertainty objects of pixels (calibration/pixel_sigma.h), field by field, and tells
/// their scores on test rollouts: pixels.csv, rows of calibration/pixel_tally.h. Frames of
/// rollouts that are no longer finite fit nothing, and lie outside every interval. Memory grows
/// with the calibration rollouts alone: six numbers a pixel.
std::vector<PixelRow> pixel_table(const PixelTableRequest& request, const Surrogate& surrogate,
                                  const CalibratorSet& calibrators,
                                  const std::function<void(int64_t done, int64_t total)>& progress);

}  // namespace roundtrip

#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>

#include "roundtrip/calibration/calibrator.h"
#include "roundtrip/calibration/curves.h"
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

/// Fits all uncertainty objects of pixels (calibration/pixel_sigma.h), field by field, and writes
/// what they are worth on test rollouts: pixels.csv, rows of calibration/pixel_tally.h. Memory
/// grows with the calibration rollouts alone: four numbers a pixel.
void write_pixel_table(const std::filesystem::path& out, const PixelTableRequest& request,
                       const Surrogate& surrogate, const CalibratorSet& calibrators,
                       const std::function<void(int64_t done, int64_t total)>& progress);

}  // namespace roundtrip

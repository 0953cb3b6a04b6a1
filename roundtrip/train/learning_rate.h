#pragma once

#include <cstdint>
#include <string>

#include "roundtrip/base/settings.h"

namespace roundtrip {

struct LearningRate {
  double peak = 1e-4;            // largest learning rate
  int64_t warmup = 1000;         // steps over which it rises from zero
  std::string decay = "cosine";  // afterwards: cosine or constant
  double final = 0.05;           // where the cosine ends, as a fraction of the peak

  /// The rate of step `step` (from 0) of `steps`.
  double at(int64_t step, int64_t steps) const;
};

/// Lists the settings under `prefix` ("denoiser_training.").
void bind(LearningRate& rate, const std::string& prefix, Settings& settings);

}  // namespace roundtrip

#pragma once

#include <string>

#include "roundtrip/calibration/trajectory_units.h"

namespace roundtrip {

/// What C with depth gains, nats a row, over the depth alone and over the best baseline.
struct CycleGain {
  ClusteredMean over_depth;
  ClusteredMean over_baseline;
  /// The best baseline's signal: "seed_knn", which sees the seed frames and takes no rollout;
  /// empty, or "depth" or "none", where no baseline of the seed frames is there or better.
  std::string baseline;
};

/// Both gains, and one sentence on what follows from them. Each gain is a finding by itself: better
/// from two standard errors above zero on, worse from two below, and not shown between.
std::string verdict(const CycleGain& gain);

}  // namespace roundtrip

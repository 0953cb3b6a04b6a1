#pragma once

#include <string>

#include "roundtrip/calibration/trajectory_units.h"

namespace roundtrip {

/// What C with depth gains, nats a row, over the depth alone and over the best control.
struct CycleGain {
  ClusteredMean over_depth;
  ClusteredMean over_control;
  std::string control;  // "seed_knn"; empty: there is none
};

/// One sentence with both gains and what follows from them: C tells something of the rollout, no
/// more than its seeds tell, nothing, or that there is too little to tell. A gain counts when it is
/// two standard errors above zero.
std::string verdict(const CycleGain& gain);

}  // namespace roundtrip

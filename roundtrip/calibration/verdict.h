#pragma once

#include <string>

#include "roundtrip/calibration/trajectory_units.h"

namespace roundtrip {

/// What a signal gains, nats a row, over the depth alone and over the best control.
struct SignalGain {
  std::string signal = "C";  // with depth
  ClusteredMean over_depth;
  ClusteredMean over_control;
  std::string control;  // "seed_knn"; empty: there is none
};

/// One sentence with both gains and what follows from them: the signal tells something of the
/// rollout, no more than its seeds tell, or nothing. A gain counts when it is two standard errors
/// above zero.
std::string verdict(const SignalGain& gain);

}  // namespace roundtrip

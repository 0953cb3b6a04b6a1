#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "roundtrip/data/dataset.h"
#include "roundtrip/report/records.h"
#include "roundtrip/rollout/surrogate.h"

namespace roundtrip {

/// Which trajectory is to be shown, and where.
struct FieldRequest {
  Split split = Split::test;
  int64_t trajectory = 0;
  std::vector<int64_t> depths;  // ascending, within the trajectory
  int64_t direction = 1;        // +1 forward from the first frames, -1 backward from the last
  std::string label = {};       // of the trajectory in the report
  bool latent = false;          // latent channels instead of decoded fields
};

/// Pictures of every field, or latent channel: the truth, the rollout, their difference, and the
/// oldest seed as it comes back from each depth.
TrajectoryFields record_fields(const FieldRequest& request, const Surrogate& surrogate,
                               const Dataset& dataset);

}  // namespace roundtrip

#pragma once

#include <string>
#include <vector>

#include "roundtrip/calibration/curves.h"

namespace roundtrip {

/// A signal that studies hold against the others.
struct ComparedSignal {
  std::string column;  // of curves.csv
  std::string title;   // in a table
  bool control;        // knows the seeds alone, nothing of the rollout
};

/// Those a table has, controls last.
std::vector<ComparedSignal> signals_in(const CurveTable& table);

/// Of these C, the spread over start noises and the controls.
std::vector<ComparedSignal> main_signals_in(const CurveTable& table);

}  // namespace roundtrip

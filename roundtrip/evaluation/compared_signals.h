#pragma once

#include <string>
#include <vector>

#include "roundtrip/calibration/curves.h"
#include "roundtrip/calibration/signal_table.h"

namespace roundtrip {

/// A column that a table shows beside others.
struct ComparedSignal {
  std::string column;  // of curves.csv
  std::string title;   // in a table
};

/// The columns of the signal table that are shown so widely at least and that `table` has;
/// baselines last, and called so.
std::vector<ComparedSignal> compared_signals(const CurveTable& table, Shown least);

}  // namespace roundtrip

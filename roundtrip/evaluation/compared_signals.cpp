#include "roundtrip/evaluation/compared_signals.h"

namespace roundtrip {

std::vector<ComparedSignal> compared_signals(const CurveTable& table, Shown least) {
  std::vector<ComparedSignal> found;
  for (const SignalRole role : {SignalRole::signal, SignalRole::baseline}) {
    for (const SignalColumn* column : columns_of_role(role)) {
      if (column->shown < least || !table.has(column->name)) continue;
      found.push_back({std::string(column->name), std::string(column->title)});
      if (role == SignalRole::baseline) found.back().title += " (baseline)";
    }
  }
  return found;
}

}  // namespace roundtrip

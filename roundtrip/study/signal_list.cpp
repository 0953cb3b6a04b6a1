#include "roundtrip/study/signal_list.h"

namespace roundtrip {

std::vector<ComparedSignal> signals_in(const CurveTable& table) {
  std::vector<ComparedSignal> signals = {
      {"C", "C", false},
      {"spread_seed", "spread over start noises", false},
      {"spread_ancestral", "spread of ancestral samples", false},
      {"C_averaged", "C averaged over start noises", false},
      {"fbf", "out, back, out again", false},
      {"local_1", "cycles of 1 step", false},
      {"local_2", "cycles of 2 steps", false},
      {"local_4", "cycles of 4 steps", false},
      {"seed_step", "seed step (control)", true},
      {"seed_knn", "seed neighbours (control)", true},
      {"seed_codec", "seed codec (control)", true},
  };
  std::erase_if(signals, [&](const ComparedSignal& signal) { return !table.has(signal.column); });
  return signals;
}

std::vector<ComparedSignal> main_signals_in(const CurveTable& table) {
  std::vector<ComparedSignal> signals = signals_in(table);
  std::erase_if(signals, [](const ComparedSignal& signal) {
    return !signal.control && signal.column != "C" && signal.column != "spread_seed";
  });
  return signals;
}

}  // namespace roundtrip

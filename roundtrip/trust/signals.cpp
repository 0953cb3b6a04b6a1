#include "roundtrip/trust/signals.h"

#include "roundtrip/base/error.h"

namespace roundtrip {

// Declared from the signal table, defined in a file each.
#define SIGNAL(maker, ...) \
  std::unique_ptr<Signal> maker(const SignalSetup& setup, MeasuredRun& run);
#include "roundtrip/calibration/signal_entries.inc"
#undef SIGNAL

std::unique_ptr<Signal> make_signal(const SignalEntry& entry, const SignalSetup& setup,
                                    MeasuredRun& run) {
  using Maker = std::unique_ptr<Signal> (*)(const SignalSetup&, MeasuredRun&);
#define SIGNAL(maker, ...) maker,
  static constexpr Maker kMakers[] = {  // in the order of signals()
#include "roundtrip/calibration/signal_entries.inc"
  };
#undef SIGNAL
  for (size_t i = 0; i < signals().size(); ++i) {
    if (signals()[i].name == entry.name) return kMakers[i](setup, run);
  }
  throw Bug("a signal that is not in the table");
}

}  // namespace roundtrip

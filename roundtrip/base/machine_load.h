#pragma once

#include <cstdint>
#include <string>

namespace roundtrip {

/// How many threads of all programs were running or waiting to, on average over the last minute,
/// and the cores of the machine.
struct MachineLoad {
  double threads = 0;
  int64_t cores = 1;
};
MachineLoad machine_load();

/// "the machine is busy ...", where other programs leave us little of it; else "".
std::string busy_note(const MachineLoad& load);

}  // namespace roundtrip

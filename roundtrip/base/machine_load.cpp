#include "roundtrip/base/machine_load.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>
#include <unistd.h>

namespace roundtrip {

MachineLoad machine_load() {
  MachineLoad load;
  load.cores = std::max<int64_t>(1, ::sysconf(_SC_NPROCESSORS_ONLN));
  if (::getloadavg(&load.threads, 1) != 1) load.threads = 0;
  return load;
}

std::string busy_note(const MachineLoad& load) {
  constexpr double kBusy = 0.8;  // of a core: beyond it what we start has to share
  if (load.threads <= kBusy * static_cast<double>(load.cores)) return "";
  return fmt::format("the machine is busy (load average {:.1f} on {} cores): this will take longer",
                     load.threads, load.cores);
}

}  // namespace roundtrip

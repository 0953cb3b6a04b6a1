#include "roundtrip/nn/compute_threads.h"

#include <algorithm>
#include <cstdlib>

#include <ATen/Parallel.h>

#include "roundtrip/base/threads.h"

namespace roundtrip {

void use_all_threads() {
  const char* asked = std::getenv("OMP_NUM_THREADS");
  const bool by_environment = asked != nullptr && !thread_limit();
  const int threads = by_environment ? std::atoi(asked) : static_cast<int>(available_threads());
  at::set_num_threads(std::max(1, threads));
}

}  // namespace roundtrip

#include "roundtrip/nn/compute_threads.h"

#include <ATen/Parallel.h>

#include "roundtrip/base/threads.h"

namespace roundtrip {

void use_all_threads() {
  at::set_num_threads(static_cast<int>(available_threads()));
}

}  // namespace roundtrip

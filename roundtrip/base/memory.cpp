#include "roundtrip/base/memory.h"

#include <malloc.h>

namespace roundtrip {

// glibc hands blocks above 128 KB back to the system at once; the page faults that follow took half
// the time of a training run. Keeping up to 4 GB for reuse costs nothing a tensor program would
// miss.
void keep_large_blocks() {
  constexpr int kGigabyte = 1 << 30;
  mallopt(M_MMAP_THRESHOLD, kGigabyte);
  mallopt(M_TRIM_THRESHOLD, 2 * (kGigabyte - 1));
  mallopt(M_TOP_PAD, 64 << 20);
}

}  // namespace roundtrip

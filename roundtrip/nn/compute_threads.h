#pragma once

namespace roundtrip {

/// Lets torch compute on all cores this process may run on, or on OMP_NUM_THREADS of them when that
/// is set. Needed: some library that Debian's libtorch loads sets OpenMP to one thread.
void use_all_threads();

}  // namespace roundtrip

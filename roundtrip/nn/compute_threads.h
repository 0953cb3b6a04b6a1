#pragma once

namespace roundtrip {

/// Lets torch and BLAS compute on as many threads as limit_threads() set, else on OMP_NUM_THREADS,
/// else on all cores this process may run on. Needed: some library that Debian's libtorch loads sets OpenMP to one thread.
void use_all_threads();

}  // namespace roundtrip

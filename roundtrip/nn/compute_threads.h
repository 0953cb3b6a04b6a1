#pragma once

namespace roundtrip {

/// Lets torch and BLAS compute on available_threads(). Needed: some library that Debian's libtorch
/// loads sets OpenMP to one thread.
void use_all_threads();

}  // namespace roundtrip

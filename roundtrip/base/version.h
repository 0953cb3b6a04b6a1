#pragma once

namespace roundtrip {

/// The version of this build, "0.1.0".
const char* version();
/// The commit it was built from, "-dirty" behind it when the tree had changes.
const char* commit();

}  // namespace roundtrip

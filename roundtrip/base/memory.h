#pragma once

namespace roundtrip {

/// Makes malloc keep large blocks for reuse instead of handing them back to the system at once. For
/// programs that work with tensors; called once, at the start of main.
void keep_large_blocks();

}  // namespace roundtrip

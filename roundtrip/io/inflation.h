#pragma once

#include <cstdint>

namespace roundtrip {

/// No file can hold more than this factor times its bytes: the limit of the deflate algorithm.
inline constexpr uint64_t kMostInflation = 1032;

}  // namespace roundtrip

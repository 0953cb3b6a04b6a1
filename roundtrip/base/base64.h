#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace roundtrip {

/// Bytes as text of RFC 4648, section 4, with padding.
std::string to_base64(std::span<const uint8_t> bytes);

/// The bytes behind such text; an Error when a letter or the length does not fit.
std::vector<uint8_t> from_base64(std::string_view text);

}  // namespace roundtrip

#include "roundtrip/base/one_line.h"

namespace roundtrip {

std::string one_line(std::string text) {
  const auto byte = [&](size_t at) { return static_cast<unsigned char>(text[at]); };
  std::string line;
  for (size_t at = 0; at < text.size(); ++at) {
    const bool two_bytes =
        byte(at) == 0xc2 && at + 1 < text.size() && byte(at + 1) >= 0x80 && byte(at + 1) <= 0x9f;
    const bool control = byte(at) < 0x20 || byte(at) == 0x7f || two_bytes;
    line += text[at] == '\n' ? ' ' : control ? '?' : text[at];
    if (two_bytes) ++at;
  }
  return line;
}

}  // namespace roundtrip

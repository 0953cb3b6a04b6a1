#include "roundtrip/base/base64.h"

#include <array>

#include <fmt/format.h>

#include "roundtrip/base/error.h"

namespace roundtrip {
namespace {

constexpr std::string_view kLetters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr uint8_t kNoLetter = 255;

constexpr std::array<uint8_t, 256> make_values() {
  std::array<uint8_t, 256> values{};
  values.fill(kNoLetter);
  for (size_t i = 0; i < kLetters.size(); ++i) {
    values[static_cast<uint8_t>(kLetters[i])] = static_cast<uint8_t>(i);
  }
  return values;
}
constexpr std::array<uint8_t, 256> kValues = make_values();

}  // namespace

std::string to_base64(std::span<const uint8_t> bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t present = std::min<size_t>(3, bytes.size() - i);
    uint32_t group = 0;
    for (size_t k = 0; k < 3; ++k) group = group << 8 | (k < present ? bytes[i + k] : 0u);
    for (size_t k = 0; k < 4; ++k) {
      text += k <= present ? kLetters[group >> (18 - 6 * k) & 63] : '=';
    }
  }
  return text;
}

std::vector<uint8_t> from_base64(std::string_view text) {
  if (text.size() % 4 != 0) {
    throw Error("base64",
                fmt::format("expected a multiple of 4 letters, found {}: cut off?", text.size()));
  }
  std::string_view letters = text;
  for (int k = 0; k < 2 && letters.ends_with('='); ++k) letters.remove_suffix(1);
  std::vector<uint8_t> bytes;
  bytes.reserve(text.size() / 4 * 3);
  uint32_t pending = 0;
  int bits = 0;
  for (size_t i = 0; i < letters.size(); ++i) {
    const uint8_t value = kValues[static_cast<uint8_t>(letters[i])];
    if (value == kNoLetter) {
      throw Error("base64", fmt::format("letter {} of {} is none of base64", i + 1, text.size()));
    }
    pending = pending << 6 | value;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push_back(static_cast<uint8_t>(pending >> bits));
  }
  return bytes;
}

}  // namespace roundtrip

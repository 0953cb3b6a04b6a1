#include "roundtrip/base/error.h"

#include <algorithm>

#include <fmt/format.h>

namespace roundtrip {
namespace {

// An Error is one line wherever it is shown, also when a library's message had several, and names
// taken from a file cannot steer a terminal.
std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  const auto is_control = [](unsigned char letter) { return letter < 0x20 || letter == 0x7f; };
  std::replace_if(text.begin(), text.end(), is_control, '?');
  return text;
}

}  // namespace

Error::Error(std::string_view where, std::string_view what)
    : std::runtime_error(one_line(fmt::format("[{}] {}", where, what))) {}

void ensure(bool holds, std::string_view what) {
  if (!holds) throw Bug(fmt::format("internal error: {}", what));
}

}  // namespace roundtrip

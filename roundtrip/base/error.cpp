#include "roundtrip/base/error.h"

#include <algorithm>

#include <fmt/format.h>

namespace roundtrip {
namespace {

// An Error is one line wherever it is shown, also when a library's message had several.
std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

}  // namespace

Error::Error(std::string_view where, std::string_view what)
    : std::runtime_error(one_line(fmt::format("[{}] {}", where, what))) {}

void ensure(bool holds, std::string_view what) {
  if (!holds) throw Bug(fmt::format("internal error: {}", what));
}

}  // namespace roundtrip

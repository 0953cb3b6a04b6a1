#include "roundtrip/base/error.h"

#include <fmt/format.h>

#include "roundtrip/base/one_line.h"

namespace roundtrip {

// An Error is one line wherever it is shown, also when a library's message had several.
Error::Error(std::string_view where, std::string_view what)
    : std::runtime_error(one_line(fmt::format("[{}] {}", where, what))) {}

void ensure(bool holds, std::string_view what) {
  if (!holds) throw Bug(fmt::format("internal error: {}", what));
}

}  // namespace roundtrip

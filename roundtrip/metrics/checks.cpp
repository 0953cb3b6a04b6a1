#include "roundtrip/metrics/checks.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "roundtrip/base/error.h"

namespace roundtrip {
namespace {

template <class Test>
void require(std::span<const double> values, std::string_view name, std::string_view expected,
             Test test) {
  const auto wrong = std::find_if_not(values.begin(), values.end(), test);
  if (wrong == values.end()) return;
  throw Error("stats", fmt::format("{}: expected {}, found {} as value {} of {}", name, expected,
                                   *wrong, wrong - values.begin() + 1, values.size()));
}

}  // namespace

void require_finite(std::span<const double> values, std::string_view name) {
  require(values, name, "finite numbers", [](double x) { return std::isfinite(x); });
}

void require_positive(std::span<const double> values, std::string_view name) {
  require(values, name, "finite numbers above 0",
          [](double x) { return std::isfinite(x) && x > 0; });
}

}  // namespace roundtrip

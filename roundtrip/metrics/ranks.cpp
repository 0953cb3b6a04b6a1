#include "roundtrip/metrics/ranks.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "roundtrip/base/error.h"

namespace roundtrip {

std::vector<double> average_ranks(std::span<const double> values) {
  if (std::any_of(values.begin(), values.end(), [](double x) { return std::isnan(x); })) {
    throw Error("stats", "ranks: expected numbers, found NaN, which has no place in an order");
  }
  std::vector<size_t> order(values.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (size_t first = 0, last = 0; first < order.size(); first = last) {
    while (last < order.size() && values[order[last]] == values[order[first]]) ++last;
    const double shared = 0.5 * static_cast<double>(first + 1 + last);
    for (size_t i = first; i < last; ++i) ranks[order[i]] = shared;
  }
  return ranks;
}

}  // namespace roundtrip

#include "roundtrip/evaluation/held_out_rows.h"

#include <set>

namespace roundtrip {
namespace {

void copy_row(const HeldOut& from, size_t i, HeldOut& to) {
  to.add(from.curve[i], from.depth[i], from.y[i], {from.mean[i], from.sigma[i]});
}

}  // namespace

std::vector<RowRange> rows_by_curve(const HeldOut& rows) {
  std::vector<RowRange> ranges;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (i == 0 || rows.curve[i] != rows.curve[i - 1]) ranges.push_back({i, i});
    ranges.back().last = i + 1;
  }
  return ranges;
}

HeldOut chosen_curves(const HeldOut& rows, const std::vector<RowRange>& ranges,
                      std::span<const size_t> chosen) {
  HeldOut out;
  for (const size_t place : chosen) {
    for (size_t i = ranges[place].first; i < ranges[place].last; ++i) copy_row(rows, i, out);
  }
  return out;
}

HeldOut rows_at_depth(const HeldOut& rows, int64_t depth) {
  HeldOut out;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (rows.depth[i] == depth) copy_row(rows, i, out);
  }
  return out;
}

std::vector<int64_t> depths_of(const HeldOut& rows) {
  const std::set<int64_t> depths(rows.depth.begin(), rows.depth.end());
  return {depths.begin(), depths.end()};
}

}  // namespace roundtrip

#include "roundtrip/metrics/groups.h"

#include <map>

namespace roundtrip {

std::vector<Group> group_by(std::span<const int64_t> labels) {
  std::map<int64_t, std::vector<size_t>> found;
  for (size_t row = 0; row < labels.size(); ++row) found[labels[row]].push_back(row);
  std::vector<Group> groups;
  for (auto& [label, rows] : found) groups.push_back({label, std::move(rows)});
  return groups;
}

std::vector<double> take(std::span<const double> values, std::span<const size_t> rows) {
  std::vector<double> taken;
  taken.reserve(rows.size());
  for (const size_t row : rows) taken.push_back(values[row]);
  return taken;
}

}  // namespace roundtrip

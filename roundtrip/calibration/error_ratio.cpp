#include "roundtrip/calibration/error_ratio.h"

#include <cmath>
#include <map>

namespace roundtrip {
namespace {

struct Sum {
  double value = 0;
  double count = 0;

  double mean() const { return value / count; }
};

std::map<int64_t, Sum> by_depth(const CurveTable& table, const std::string& target,
                                const std::string& split) {
  std::map<int64_t, Sum> sums;
  for (const Curve& curve : table.curves) {
    if (curve.split != split || !curve.has(target)) continue;
    const std::vector<double>& values = curve.column(target);
    for (size_t i = 0; i < values.size(); ++i) {
      if (!std::isfinite(values[i])) continue;
      sums[curve.depths[i]].value += values[i];
      sums[curve.depths[i]].count += 1;
    }
  }
  return sums;
}

}  // namespace

std::optional<ErrorRatio> error_ratio(const CurveTable& table, const std::string& target,
                                      const std::string& above, const std::string& below) {
  const std::map<int64_t, Sum> high = by_depth(table, target, above);
  const std::map<int64_t, Sum> low = by_depth(table, target, below);
  double upper = 0, lower = 0;
  ErrorRatio ratio;
  for (const auto& [depth, sum] : high) {
    const auto found = low.find(depth);
    if (found == low.end() || found->second.mean() <= 0) continue;
    upper += sum.mean();
    lower += found->second.mean();
    ratio.depth = depth;
    ratio.deepest = sum.mean() / found->second.mean();
  }
  if (lower <= 0) return std::nullopt;
  ratio.mean = upper / lower;
  return ratio;
}

}  // namespace roundtrip

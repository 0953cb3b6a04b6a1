// Mann & Whitney 1947: AUROC = (R - m (m + 1) / 2) / (m n), R the rank sum of the m positives.
#include "roundtrip/metrics/auroc.h"

#include <vector>

#include "roundtrip/base/error.h"
#include "roundtrip/metrics/quantile.h"
#include "roundtrip/metrics/ranks.h"

namespace roundtrip {

std::optional<double> auroc(std::span<const double> positives, std::span<const double> negatives) {
  std::vector<double> all(positives.begin(), positives.end());
  all.insert(all.end(), negatives.begin(), negatives.end());
  const std::vector<double> ranks = average_ranks(all);
  if (positives.empty() || negatives.empty()) return std::nullopt;
  const auto m = static_cast<double>(positives.size());
  const auto n = static_cast<double>(negatives.size());
  double rank_sum = 0;
  for (size_t i = 0; i < positives.size(); ++i) rank_sum += ranks[i];
  return (rank_sum - m * (m + 1) / 2) / (m * n);
}

std::optional<double> auroc_of_errors_above(std::span<const double> score,
                                            std::span<const double> error, double threshold) {
  ensure(score.size() == error.size(), "scores and errors differ in number");
  std::vector<double> high, low;
  for (size_t i = 0; i < error.size(); ++i) (error[i] > threshold ? high : low).push_back(score[i]);
  return auroc(high, low);
}

std::optional<double> auroc_of_high_errors(std::span<const double> score,
                                           std::span<const double> error, double fraction) {
  ensure(score.size() == error.size(), "scores and errors differ in number");
  return auroc_of_errors_above(score, error, quantile(error, 1 - fraction));
}

}  // namespace roundtrip

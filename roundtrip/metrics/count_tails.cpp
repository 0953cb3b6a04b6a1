#include "roundtrip/metrics/count_tails.h"

#include <algorithm>
#include <cmath>

#include "roundtrip/base/error.h"

namespace roundtrip {
namespace {

double log_choose(int64_t n, int64_t k) {
  const auto gamma = [](int64_t x) { return std::lgamma(static_cast<double>(x) + 1); };
  return gamma(n) - gamma(k) - gamma(n - k);
}

double log_beta(double a, double b) { return std::lgamma(a) + std::lgamma(b) - std::lgamma(a + b); }

// Sums of a law's probabilities below and above the count, itself in both.
CountTails tails(int64_t count, int64_t trials, const auto& log_probability) {
  ensure(0 <= count && count <= trials, "a count is between none and all trials");
  CountTails out{.at_most = 0, .at_least = 0};
  for (int64_t k = 0; k <= trials; ++k) {
    const double p = std::exp(log_probability(k));
    if (k <= count) out.at_most += p;
    if (k >= count) out.at_least += p;
  }
  return {std::min(out.at_most, 1.0), std::min(out.at_least, 1.0)};
}

}  // namespace

CountTails binomial_tails(int64_t count, int64_t trials, double share) {
  ensure(0 <= share && share <= 1, "a probability is in [0, 1]");
  // 0 log 0 is 0: a share of 0 or 1 leaves one count possible.
  const auto times_log = [](int64_t n, double p) {
    return n == 0 ? 0 : static_cast<double>(n) * std::log(p);
  };
  return tails(count, trials, [&](int64_t k) {
    return log_choose(trials, k) + times_log(k, share) + times_log(trials - k, 1 - share);
  });
}

CountTails beta_binomial_tails(int64_t count, int64_t trials, double a, double b) {
  ensure(a > 0 && b > 0, "the parameters of a beta law are above 0");
  return tails(count, trials, [&](int64_t k) {
    return log_choose(trials, k) - log_beta(a, b) +
           log_beta(static_cast<double>(k) + a, static_cast<double>(trials - k) + b);
  });
}

}  // namespace roundtrip

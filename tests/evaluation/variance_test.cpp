#include "roundtrip/evaluation/variance.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "evaluation/synthetic.h"
#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

// Noise of +-s in a chequered pattern: its sums over trajectories and over depths vanish.
double chequer(int64_t t, int64_t d, double s) { return (t + d) % 2 == 0 ? s : -s; }

// Factors -1, -1, 1, 1 and the same noise in both; C's is three times larger.
Measurements chequered_measurements() {
  Measurements measured;
  measured.system = "mhd";
  measured.test = synthetic_table("test", 4, 4, [](int64_t t, int64_t d) {
    const double factor = t < 2 ? -1 : 1;
    return SyntheticRow{{"E", std::exp(factor + static_cast<double>(d) + chequer(t, d, .1))},
                        {"C", std::exp(factor + chequer(t, d, .3))}};
  });
  return measured;
}

TEST(Variance, IsThatOfFactorAndNoise) {
  const auto sections = beside_paper(evaluate_variance, chequered_measurements());
  check_sections(sections);
  const TableSection& parts = table_called(sections, "Variance of log C and log E");
  // Sixteen squared residuals over nine degrees of freedom; the means are the factors themselves.
  const double within_e = std::sqrt(16 * .01 / 9), within_c = std::sqrt(16 * .09 / 9);
  const double between_e = std::sqrt(4. / 3 - within_e * within_e / 4);
  const double between_c = std::sqrt(4. / 3 - within_c * within_c / 4);
  EXPECT_NEAR(ours_at(parts, "log E", "sigma_w"), within_e, 1e-9);
  EXPECT_NEAR(ours_at(parts, "log C", "sigma_w"), within_c, 1e-9);
  EXPECT_NEAR(ours_at(parts, "log E", "sigma_b"), between_e, 1e-9);
  EXPECT_NEAR(ours_at(parts, "log C", "sigma_b"), between_c, 1e-9);
  EXPECT_EQ(cell_at(parts, "log C", "ICC").paper, .90);
  const TableSection& bounds = table_called(sections, "What the variance allows");
  EXPECT_NEAR(ours_at(bounds, "correlation of the noises", "value"), 1, 1e-9);
  const double reliability = ours_at(parts, "log C", "reliability");
  const double ceiling = reliability * ours_at(parts, "log E", "reliability");
  EXPECT_NEAR(ours_at(bounds, "ceiling of the correlation, noises independent", "value"), ceiling,
              1e-9);
  EXPECT_GT(ours_at(bounds, "ceiling with noises so correlated", "value"), ceiling);
  const double icc = ours_at(parts, "log E", "ICC");
  EXPECT_NEAR(ours_at(bounds, "recoverable gain, C at one depth", "value"),
              -std::log(1 - icc * reliability * reliability) / 2, 1e-9);
}

TEST(Variance, NeedsTwoDepths) {
  Measurements measured = chequered_measurements();
  measured.test = synthetic_table("test", 4, 1, exact_rule(1));
  EXPECT_THAT(error_of([&] { evaluate_variance(measured); }), testing::HasSubstr("two depths"));
}

}  // namespace
}  // namespace roundtrip

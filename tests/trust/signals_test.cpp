#include "roundtrip/trust/signals.h"

#include <cmath>

#include <gtest/gtest.h>

#include "roundtrip/nn/init.h"
#include "roundtrip/trust/measure.h"
#include "tests/support/linear_surrogate.h"

namespace roundtrip {
namespace {

// Two numbers that shrink forward and do not quite grow back.
Surrogate shrinking() {
  const Eigen::MatrixXd there = Eigen::MatrixXd::Identity(2, 2) * 0.9;
  const Eigen::MatrixXd back = Eigen::MatrixXd::Identity(2, 2) * 1.05;
  Surrogate surrogate = linear_surrogate(there, back, /*contexts=*/2);
  surrogate.sample = [stepper = surrogate.stepper](int64_t, bool) { return stepper; };
  return surrogate;
}

MeasuredTrajectory trajectory_of(const Surrogate& surrogate) {
  const torch::Tensor fields = keyed_normal({12, 2, 1, 1}, 7, "signals");
  return {.latents = surrogate.codec->encode(fields),
          .fields = fields,
          .initial_frames = 2,
          .first_index = 0};
}

// The signal table is all that says which columns there are: what a signal writes beyond it stops
// the meter, what it leaves out stays NaN.
TEST(Signals, EachWritesTheColumnsOfItsEntry) {
  const Surrogate surrogate = shrinking();
  const auto known = [] { return keyed_normal({20, 2, 2, 1, 1}, 8, "known"); };
  for (const SignalEntry& entry : signals()) {
    SCOPED_TRACE(std::string(entry.name));
    const Meter meter(surrogate, {.depths = {1, 5, 8}, .signals = {std::string(entry.name)}},
                      known);
    EXPECT_EQ(meter.columns(), column_names(entry, surrogate.layout.channels));
    const auto table = meter.measure({trajectory_of(surrogate)}).front();
    for (size_t c = 0; c < meter.columns().size(); ++c) {
      EXPECT_TRUE(std::isfinite(table.back()[c])) << meter.columns()[c];
    }
  }
}

TEST(Signals, FixedCostsAreTheStepsTaken) {
  constexpr int64_t kDeep = 6;
  for (const SignalEntry& entry : signals()) {
    if (!entry.cost) continue;
    const Meter meter(shrinking(), {.depths = {kDeep}, .signals = {std::string(entry.name)}});
    EXPECT_EQ(static_cast<double>(meter.row_steps(2, 2 + kDeep)), *entry.cost * kDeep)
        << entry.name;
  }
}

}  // namespace
}  // namespace roundtrip

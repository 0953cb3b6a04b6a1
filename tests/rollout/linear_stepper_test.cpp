#include "roundtrip/rollout/linear_stepper.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/support/linear_surrogate.h"

namespace roundtrip {
namespace {

TEST(LinearStepper, AppliesTheMapOfItsDirectionToTheNearestFrame) {
  Eigen::MatrixXd forward(2, 2), backward(2, 2);
  forward << 1, 2, 3, 4;
  backward << 0, 1, -1, 0.5;
  const auto stepper = make_linear_stepper(forward, backward, {2, 1, 1}, /*contexts=*/2);
  const Eigen::Vector2d z(0.25, -3);
  const torch::Tensor context =
      torch::stack({torch::full({2, 1, 1}, 9.0, torch::kFloat64), frame_of(z)});
  const torch::Tensor next =
      stepper->step({torch::stack({context, context}), torch::zeros({2, 2, 1, 1}, torch::kFloat64),
                     torch::tensor({5, 5}), torch::tensor({1, -1})});
  EXPECT_TRUE(torch::equal(next[0], frame_of(forward * z)));
  EXPECT_TRUE(torch::equal(next[1], frame_of(backward * z)));
}

TEST(LinearStepper, StepsLikeTheOptimalPredictors) {
  const LinearGaussianModel model = make_linear_gaussian_model(4, {.non_normality = 0.5});
  const auto stepper = make_linear_stepper(model, {1, 2, 2});
  const Eigen::Vector4d z(1, 2, 3, 4);
  const torch::Tensor context = frame_of(z).view({1, 1, 1, 2, 2});
  const torch::Tensor back =
      stepper->step({context, context[0], torch::tensor({0}), torch::tensor({-1})}).flatten();
  for (int row = 0; row < 4; ++row) {
    double expected = 0, magnitude = 0;
    for (int column = 0; column < 4; ++column) {
      const double term = model.backward_map()(row, column) * z[column];
      expected += term;
      magnitude += std::abs(term);
    }
    // Two sums of four terms, with fused products or without, in any order: each within two units
    // of rounding of the sum of magnitudes.
    EXPECT_NEAR(back[row].item<double>(), expected,
                4 * std::numeric_limits<double>::epsilon() * magnitude);
  }
}

}  // namespace
}  // namespace roundtrip

#include "roundtrip/rollout/linear_stepper.h"

#include <gtest/gtest.h>

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
      stepper->step({context, context[0], torch::tensor({0}), torch::tensor({-1})});
  EXPECT_TRUE(torch::equal(back.flatten(), frame_of(model.backward_map() * z).flatten()));
}

}  // namespace
}  // namespace roundtrip

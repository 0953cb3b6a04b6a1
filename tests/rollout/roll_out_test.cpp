#include "roundtrip/rollout/roll_out.h"

#include <gtest/gtest.h>

#include "roundtrip/rollout/linear_stepper.h"
#include "tests/support/linear_surrogate.h"

namespace roundtrip {
namespace {

// The closed-form stepper computes row by row, so that both ways give the same bits.
TEST(RollOut, WindowsEndWhereRolloutsOfTheSameFramesDo) {
  const LinearGaussianModel model = make_linear_gaussian_model(6, {.non_normality = 0.3});
  const auto stepper = make_linear_stepper(model, {6, 1, 1}, /*contexts=*/2);
  std::vector<Rollout> rollouts;
  std::vector<torch::Tensor> contexts, anchors;
  for (int64_t row = 0; row < 3; ++row) {
    const torch::Tensor frames =
        torch::linspace(static_cast<double>(row), 2, 12, torch::kFloat64).view({2, 6, 1, 1});
    rollouts.push_back(make_rollout(frames, /*depth=*/5, /*first_index=*/0, +1));
    contexts.push_back(frames);
    anchors.push_back(frames[0]);
  }
  roll_out(rollouts, *stepper, /*batch=*/2);
  const FrameWindows end =
      roll_out({torch::stack(contexts), torch::stack(anchors), torch::full({3}, 2, torch::kInt64),
                torch::full({3}, 1, torch::kInt64)},
               *stepper, /*steps=*/5);
  for (int64_t row = 0; row < 3; ++row) {
    const Rollout& rollout = rollouts[static_cast<size_t>(row)];
    EXPECT_TRUE(torch::equal(end.nearest()[row], rollout.at_depth(5)));
    EXPECT_TRUE(torch::equal(end.context[row][0], rollout.at_depth(4)));
    EXPECT_EQ(end.target_index[row].item<int64_t>(), 7);
  }
}

}  // namespace
}  // namespace roundtrip

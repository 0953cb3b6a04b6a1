#include "roundtrip/rollout/batch_scheduler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "roundtrip/rollout/linear_stepper.h"
#include "tests/support/legs.h"
#include "tests/support/linear_surrogate.h"

namespace roundtrip {
namespace {

using ::testing::ElementsAre;

// Forward adds 1, backward doubles, and every batch is noted.
class CountingStepper final : public Stepper {
 public:
  torch::Tensor step(const FrameWindows& inputs) override {
    batches.push_back(inputs.context.size(0));
    const torch::Tensor nearest = inputs.context.select(1, -1);
    return torch::where((inputs.direction > 0).view({-1, 1, 1, 1}), nearest + 1, nearest * 2);
  }
  int64_t contexts() const override { return 2; }
  FrameShape frame() const override { return {1, 1, 1}; }

  std::vector<int64_t> batches;
};

Leg leg_from(double start, int64_t steps, std::vector<double>* seen, int64_t direction = 1) {
  Leg leg{.window = one_window(torch::full({2, 1, 1, 1}, start), torch::zeros({1, 1, 1}),
                               /*target_index=*/0, direction),
          .steps = steps};
  leg.stepped = [seen](int64_t, const torch::Tensor& context) {
    seen->push_back(context[-1].item<double>());
  };
  return leg;
}

TEST(BatchScheduler, RunsEveryLegToItsEndInFullBatches) {
  CountingStepper stepper;
  BatchScheduler scheduler({&stepper}, 2);
  std::vector<double> a, b, c;
  scheduler.add(leg_from(0, 1, &a));
  scheduler.add(leg_from(10, 4, &b));
  scheduler.add(leg_from(3, 3, &c, -1));
  int64_t rows = 0;
  scheduler.run([&](int64_t stepped) { rows += stepped; });
  EXPECT_THAT(a, ElementsAre(1));
  EXPECT_THAT(b, ElementsAre(11, 12, 13, 14));
  EXPECT_THAT(c, ElementsAre(6, 12, 24));
  // 8 steps in 4 batches of 2: the short leg waits until a row is free.
  EXPECT_THAT(stepper.batches, ElementsAre(2, 2, 2, 2));
  EXPECT_EQ(scheduler.row_steps(), 8);
  EXPECT_EQ(rows, 8);
}

TEST(BatchScheduler, LegsMayAddLegs) {
  CountingStepper stepper;
  BatchScheduler scheduler({&stepper}, 4);
  std::vector<double> second;
  Leg first = leg_from(0, 3, &second);
  first.stepped = [&](int64_t step, const torch::Tensor& context) {
    if (step == 3) scheduler.add(leg_from(context[-1].item<double>(), 2, &second, -1));
  };
  scheduler.add(std::move(first));
  scheduler.run();
  EXPECT_THAT(second, ElementsAre(6, 12));
}

TEST(BatchScheduler, TheContextSlides) {
  CountingStepper stepper;
  BatchScheduler scheduler({&stepper}, 1);
  Leg leg{.window = one_window(torch::tensor({5.0, 7.0}).view({2, 1, 1, 1}),
                               torch::zeros({1, 1, 1}), 0, +1),
          .steps = 2};
  std::vector<std::vector<double>> contexts;
  leg.stepped = [&](int64_t, const torch::Tensor& context) {
    contexts.push_back({context[0].item<double>(), context[1].item<double>()});
  };
  scheduler.add(std::move(leg));
  scheduler.run();
  EXPECT_THAT(contexts, ElementsAre(ElementsAre(7, 8), ElementsAre(8, 9)));
}

// The closed-form stepper computes row by row: the batch a leg is in cannot change a bit.
TEST(BatchScheduler, BatchedLegsEqualLegsOneByOne) {
  const LinearGaussianModel model = make_linear_gaussian_model(6, {.non_normality = 0.3});
  const auto stepper = make_linear_stepper(model, {6, 1, 1}, /*contexts=*/2);
  const torch::Tensor starts = torch::linspace(-1, 1, 40 * 12, torch::kFloat64);
  std::vector<Leg> legs(40);
  for (int64_t i = 0; i < 40; ++i) {
    const torch::Tensor context = starts.narrow(0, i * 12, 12).view({2, 6, 1, 1});
    legs[static_cast<size_t>(i)] = {
        .window = one_window(context, context[0], 0, i % 2 == 0 ? 1 : -1), .steps = 1 + i % 7};
  }
  const torch::Tensor alone = last_frames(*stepper, legs, 1);
  for (const int64_t batch : {2, 7, 64}) {
    EXPECT_TRUE(torch::equal(alone, last_frames(*stepper, legs, batch))) << "batch " << batch;
  }
}

}  // namespace
}  // namespace roundtrip

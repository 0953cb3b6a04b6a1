#include "roundtrip/data/frame_windows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "roundtrip/data/window.h"

namespace roundtrip {
namespace {

using ::testing::ElementsAre;

template <class T>
std::vector<T> values(const torch::Tensor& tensor) {
  const torch::Tensor flat = tensor.flatten().contiguous();
  return {flat.data_ptr<T>(), flat.data_ptr<T>() + flat.numel()};
}

// Two rows of three contexts of one number: 0 1 2 forward to frame 3, 13 12 11 back to frame 10.
FrameWindows numbered() {
  return {torch::tensor({0.0F, 1.0F, 2.0F, 13.0F, 12.0F, 11.0F}).view({2, 3, 1, 1, 1}),
          torch::tensor({0.0F, 13.0F}).view({2, 1, 1, 1}),
          torch::tensor(std::vector<int64_t>{3, 10}), torch::tensor(std::vector<int64_t>{1, -1})};
}

TEST(FrameWindows, AStepOnDropsTheFarthestFrameAndMovesTheTargetAlongItsDirection) {
  const torch::Tensor next = torch::tensor({3.0F, 10.0F}).view({2, 1, 1, 1});
  const FrameWindows before = numbered(), after = before.advanced(next);
  EXPECT_THAT(values<float>(after.context), ElementsAre(1, 2, 3, 12, 11, 10));
  EXPECT_THAT(values<float>(after.anchor), ElementsAre(0, 13));
  EXPECT_THAT(values<int64_t>(after.target_index), ElementsAre(4, 9));
  EXPECT_THAT(values<float>(after.nearest()), ElementsAre(3, 10));
  EXPECT_THAT(values<float>(before.context), ElementsAre(0, 1, 2, 13, 12, 11));  // untouched
}

TEST(FrameWindows, InPlaceIsTheSameStepAndReachesNoOtherRow) {
  FrameWindows windows = numbered();
  const torch::Tensor next = torch::tensor({3.0F, 10.0F}).view({2, 1, 1, 1});
  windows.narrow(1, 1).advance(next.narrow(0, 1, 1));
  EXPECT_THAT(values<float>(windows.context), ElementsAre(0, 1, 2, 12, 11, 10));
  EXPECT_THAT(values<int64_t>(windows.target_index), ElementsAre(3, 9));
  windows.narrow(0, 1).advance(next.narrow(0, 0, 1));
  const FrameWindows expected = numbered().advanced(next);
  EXPECT_TRUE(torch::equal(windows.context, expected.context));
  EXPECT_TRUE(torch::equal(windows.target_index, expected.target_index));
}

// A rollout's sliding window and the windows of training are the same thing: frames that hold their
// index.
TEST(FrameWindows, AdvancingFollowsTheWindowsOfSuccessiveTargets) {
  for (const int direction : {1, -1}) {
    const int64_t anchor = direction > 0 ? 0 : 20;
    const auto frame = [](int64_t index) { return torch::full({1, 1, 1}, index, torch::kInt64); };
    for (const int64_t contexts : {1, 2, 10}) {
      FrameWindows window = one_window(frame(anchor).repeat({contexts, 1, 1, 1}), frame(anchor),
                                       anchor + direction, direction);
      for (int64_t step = 1; step <= 20; ++step) {
        const int64_t target = anchor + direction * step;
        EXPECT_EQ(window.target_index.item<int64_t>(), target);
        EXPECT_EQ(values<int64_t>(window.context),
                  window_at(target, direction, contexts, anchor).context);
        window = window.advanced(frame(target).unsqueeze(0));
      }
    }
  }
}

TEST(FrameWindows, OneWindowIsOneRow) {
  const FrameWindows window =
      one_window(torch::arange(8.0).view({2, 1, 2, 2}), torch::zeros({1, 2, 2}), 5, -1);
  EXPECT_EQ(window.rows(), 1);
  EXPECT_EQ(window.contexts(), 2);
  EXPECT_EQ(window.target_index.item<int64_t>(), 5);
  EXPECT_EQ(window.direction.item<int64_t>(), -1);
}

}  // namespace
}  // namespace roundtrip

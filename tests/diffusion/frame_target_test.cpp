#include "roundtrip/diffusion/frame_target.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/types.h>

#include "roundtrip/nn/init.h"
#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

using testing::HasSubstr;

TEST(TargetMap, GoesThereAndBack) {
  const torch::Tensor next = keyed_normal({5, 2, 3, 3}, 1, "next", 0, torch::kFloat64);
  const torch::Tensor nearest = keyed_normal({5, 2, 3, 3}, 1, "nearest", 0, torch::kFloat64);
  for (const FrameTargetEntry& row : frame_targets()) {
    const TargetMap map(row.value, {0.01, 3});
    const torch::Tensor back = map.to_frame(map.to_target(next, nearest), nearest);
    EXPECT_LT((back - next).abs().max().item<double>(), 1e-12) << row.name;
  }
}

TEST(TargetMap, DeltaIsTheChangeOverItsSpreadPerChannel) {
  const TargetMap map(FrameTarget::delta, {0.5, 4});
  const torch::Tensor next = torch::full({1, 2, 1, 1}, 3.0f);
  const torch::Tensor target = map.to_target(next, torch::ones({1, 2, 1, 1}));
  EXPECT_EQ(target[0][0].item<float>(), 4.0f);
  EXPECT_EQ(target[0][1].item<float>(), 0.5f);
  EXPECT_EQ(target.scalar_type(), torch::kFloat32);
}

TEST(TargetMap, FrameNeedsNoSpread) {
  const torch::Tensor next = torch::ones({1, 7, 2, 2});
  EXPECT_TRUE(torch::equal(TargetMap(FrameTarget::frame).to_target(next, next), next));
}

TEST(TargetMap, RefusesASpreadItCannotDivideBy) {
  EXPECT_THAT(error_of([] { TargetMap map(FrameTarget::delta); }), HasSubstr("found none"));
  EXPECT_THAT(error_of([] {
                TargetMap map(FrameTarget::delta, {1, 0});
              }),
              HasSubstr("delta_std of channel 1: expected a positive number, found 0"));
  EXPECT_THAT(error_of([] { TargetMap map(FrameTarget::delta, {std::nan("")}); }),
              HasSubstr("found nan"));
  const torch::Tensor frame = torch::ones({1, 3, 2, 2});
  EXPECT_THROW(TargetMap(FrameTarget::delta, {1, 1}).to_target(frame, frame), Bug);
}

}  // namespace
}  // namespace roundtrip

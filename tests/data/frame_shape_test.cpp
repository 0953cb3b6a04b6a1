#include "roundtrip/data/frame_shape.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace roundtrip {
namespace {

using ::testing::ElementsAre;

TEST(FrameShape, SizesOfTensorsEndInTheFrames) {
  constexpr FrameShape shape = {2, 3, 5};
  EXPECT_EQ(shape.size(), 30);
  EXPECT_THAT(shape.sizes(), ElementsAre(2, 3, 5));
  EXPECT_THAT(shape.sizes({7, 4}), ElementsAre(7, 4, 2, 3, 5));
}

}  // namespace
}  // namespace roundtrip

#include "roundtrip/measurement/pixel_frames.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/error_of.h"
#include "tests/support/ramp_model.h"

namespace roundtrip {
namespace {

TEST(PixelFrames, SamplesAndThirdLegsAreThoseOfTheModel) {
  const auto found = pixel_frames({.first = 0, .count = 2, .depth = 4, .samples = 3, .batch = 2},
                                  sampled_ramp(), RampDataset());
  ASSERT_EQ(found.size(), 2U);
  for (size_t k = 0; k < 2; ++k) {
    for (int64_t depth = 1; depth <= 4; ++depth) {
      const auto at = [&](const torch::Tensor& frames) {
        return frames[depth - 1][0][1][2].item<double>();  // 6 in the ramp
      };
      const double start = 6 + 10 * static_cast<double>(k) + 1, d = static_cast<double>(depth);
      EXPECT_NEAR(at(found[k].truth), start + d, 1e-5);
      EXPECT_NEAR(at(found[k].rollout), start + 1.5 * d, 1e-5);
      EXPECT_NEAR(at(found[k].sample_mean), start + 1.6 * d, 1e-5);
      // Samples at 1.5, 1.6, 1.7: variance 2/3 of a hundredth.
      EXPECT_NEAR(at(found[k].spread), 0.1 * d * std::sqrt(2.0 / 3), 1e-5);
      // The leg back sets out from the frame before the last, 0.5 off for each of its d - 1 steps,
      // and takes away 1 a step: the newer seed comes back that much off, and stays so.
      EXPECT_NEAR(at(found[k].cycle), 0.5 * (d - 1), 1e-4);
    }
  }
}

TEST(PixelFrames, OneSampleIsNone) {
  EXPECT_THAT(error_of([] { pixel_frames({}, ramp_surrogate(1), RampDataset()); }),
              testing::HasSubstr("draws noise"));
}

}  // namespace
}  // namespace roundtrip

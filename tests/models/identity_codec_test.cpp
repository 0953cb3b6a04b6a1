#include "roundtrip/models/identity_codec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/types.h>

#include "roundtrip/nn/init.h"
#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

TEST(IdentityCodec, GivesBackWhatItGot) {
  const auto network = make_identity_codec({2, 3, 5});
  const torch::Tensor frames = keyed_normal({4, 2, 3, 5}, 1, "frames");
  const Posterior posterior = network->posterior(frames);
  EXPECT_TRUE(torch::equal(posterior.mean, frames));
  EXPECT_TRUE(torch::equal(network->decode(posterior.mean), frames));
  // A standard deviation below the rounding of float32 near 1.
  EXPECT_LT((posterior.log_variance / 2).exp().max().item<float>(), 6e-7);
  EXPECT_EQ(network->latent_shape().channels, 2);
  EXPECT_EQ(network->latent_shape().height, 3);
  EXPECT_EQ(network->latent_shape().width, 5);
  EXPECT_TRUE(network->parameters().empty());
}

TEST(IdentityCodec, KnowsItsFrames) {
  const auto network = make_identity_codec({2, 3, 5});
  EXPECT_THAT(error_of([&] {
                network->posterior(torch::zeros({1, 1, 3, 5}));
              }),
              ::testing::HasSubstr("expected frames (B, 2, 3, 5), found (1, 1, 3, 5)"));
}

}  // namespace
}  // namespace roundtrip

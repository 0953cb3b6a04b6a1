#include "roundtrip/nn/conv_stack.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/nn/module.h>
#include <torch/types.h>
#include <torch/utils.h>

#include "roundtrip/nn/conv_decoder.h"
#include "roundtrip/nn/conv_encoder.h"
#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

ConvStackOptions small(bool downsample_every_stage, int64_t condition) {
  ConvStackOptions options;
  options.image_channels = 2;
  options.latent_channels = 3;
  options.stem = 6;
  options.widths = {8, 12, 16};
  options.blocks = 2;
  options.groups = 2;
  options.heads = 2;
  options.condition = condition;
  options.downsample_every_stage = downsample_every_stage;
  return options;
}

int64_t parameters_of(const torch::nn::Module& module) {
  int64_t count = 0;
  for (const auto& parameter : module.parameters()) count += parameter.numel();
  return count;
}

TEST(ConvStack, CountsWhatIsBuilt) {
  for (const bool every : {true, false}) {
    for (const int64_t condition : {0, 5}) {
      for (const int64_t blocks : {1, 3}) {
        ConvStackOptions options = small(every, condition);
        options.blocks = blocks;
        const ConvStackSize size = count_parameters(options);
        EXPECT_EQ(size.encoder, parameters_of(*ConvEncoder(options)));
        EXPECT_EQ(size.decoder, parameters_of(*ConvDecoder(options)));
      }
    }
  }
}

TEST(ConvStack, HalvesAndDoublesRectangles) {
  const torch::NoGradGuard no_grad;
  for (const bool every : {true, false}) {
    const ConvStackOptions options = small(every, 0);
    const int64_t unit = int64_t{1} << options.downsamplings();
    const torch::Tensor moments = ConvEncoder(options)(torch::ones({1, 2, 16, 48}));
    EXPECT_EQ(moments.sizes(), torch::IntArrayRef({1, 6, 16 / unit, 48 / unit}));
    const torch::Tensor image = ConvDecoder(options)(torch::ones({1, 3, 16 / unit, 48 / unit}));
    EXPECT_EQ(image.sizes(), torch::IntArrayRef({1, 2, 16, 48}));
  }
}

TEST(ConvStack, SizesThatMakeNoNetworkAreRefused) {
  ConvStackOptions none = small(true, 0);
  none.widths = {};
  EXPECT_THAT(error_of([&] { count_parameters(none); }),
              ::testing::HasSubstr("at least one stage"));
  ConvStackOptions flat = small(true, 0);
  flat.blocks = 0;
  EXPECT_THAT(error_of([&] { ConvEncoder{flat}; }),
              ::testing::HasSubstr("blocks: expected at least 1, found 0"));
}

}  // namespace
}  // namespace roundtrip

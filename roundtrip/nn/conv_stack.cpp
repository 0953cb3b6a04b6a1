#include "roundtrip/nn/conv_stack.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/nn/modules/container/modulelist.h>
#include <torch/types.h>

#include "roundtrip/base/error.h"
#include "roundtrip/nn/residual_block.h"
#include "roundtrip/nn/spatial_attention.h"

namespace roundtrip {
namespace {

int64_t convolution_size(int64_t inputs, int64_t outputs, int64_t kernel) {
  return inputs * outputs * kernel * kernel + outputs;
}

int64_t block_size(int64_t inputs, int64_t outputs, int64_t condition) {
  const int64_t norms = 2 * inputs + 2 * outputs;
  const int64_t film = condition > 0 ? 2 * outputs * (condition + 1) : 0;
  const int64_t shortcut = inputs == outputs ? 0 : convolution_size(inputs, outputs, 1);
  return norms + film + shortcut + convolution_size(inputs, outputs, 3) +
         convolution_size(outputs, outputs, 3);
}

int64_t mid_size(int64_t channels, int64_t condition) {
  const int64_t attention = 2 * channels + 4 * convolution_size(channels, channels, 1);
  return 2 * block_size(channels, channels, condition) + attention;
}

// The last normalisation and convolution.
int64_t head_size(int64_t inputs, int64_t outputs) {
  return 2 * inputs + convolution_size(inputs, outputs, 3);
}

}  // namespace

void check(const ConvStackOptions& options) {
  const auto positive = [](int64_t value) { return value > 0; };
  if (options.widths.empty() || !std::ranges::all_of(options.widths, positive)) {
    throw Error("codec", fmt::format("expected at least one stage, all widths positive, found "
                                     "widths [{}]",
                                     fmt::join(options.widths, ", ")));
  }
  const std::pair<const char*, int64_t> sizes[] = {{"image channels", options.image_channels},
                                                   {"latent channels", options.latent_channels},
                                                   {"stem", options.stem},
                                                   {"blocks", options.blocks},
                                                   {"heads", options.heads},
                                                   {"groups", options.groups}};
  for (const auto& [name, value] : sizes) {
    if (value < 1)
      throw Error("codec", fmt::format("{}: expected at least 1, found {}", name, value));
  }
}

MidBlockImpl::MidBlockImpl(int64_t channels, const ConvStackOptions& options) {
  const ResidualBlockOptions block{channels, channels, options.groups, options.condition};
  resnets_ =
      register_module("resnets", torch::nn::ModuleList(ResidualBlock(block), ResidualBlock(block)));
  attentions_ =
      register_module("attentions", torch::nn::ModuleList(SpatialAttention(SpatialAttentionOptions{
                                        channels, options.heads, options.groups})));
}

torch::Tensor MidBlockImpl::forward(const torch::Tensor& x, const torch::Tensor& condition) {
  const torch::Tensor before = resnets_[0]->as<ResidualBlock>()->forward(x, condition);
  const torch::Tensor seen = attentions_[0]->as<SpatialAttention>()->forward(before);
  return resnets_[1]->as<ResidualBlock>()->forward(seen, condition);
}

ConvStackSize count_parameters(const ConvStackOptions& options) {
  check(options);
  const int64_t deepest = options.widths.back();
  ConvStackSize size;
  size.encoder = convolution_size(options.image_channels, options.stem, 3) +
                 mid_size(deepest, options.condition) +
                 head_size(deepest, 2 * options.latent_channels);
  size.decoder = convolution_size(options.latent_channels, deepest, 3) +
                 mid_size(deepest, options.condition) +
                 head_size(options.widths.front(), options.image_channels);
  int64_t finer = options.stem;  // width before the encoder's stage
  int64_t coarser = deepest;     // width before the decoder's stage
  for (size_t i = 0; i < options.widths.size(); ++i) {
    const int64_t down = options.widths[i];
    const int64_t up = options.widths[options.widths.size() - 1 - i];
    const bool halves = options.downsample_every_stage || i + 1 < options.widths.size();
    size.encoder += block_size(finer, down, options.condition) +
                    (options.blocks - 1) * block_size(down, down, options.condition);
    size.decoder += block_size(coarser, up, options.condition) +
                    options.blocks * block_size(up, up, options.condition);
    if (halves) {
      // The decoder's convolution comes before the stage's blocks when every stage doubles, and
      // after them when the first one does not.
      const int64_t doubled = options.downsample_every_stage ? coarser : up;
      size.encoder += convolution_size(down, down, 3);
      size.decoder += convolution_size(doubled, doubled, 3);
    }
    finer = down;
    coarser = up;
  }
  return size;
}

}  // namespace roundtrip

// The encoder of Rombach et al. 2022 with two freedoms: a stem narrower than the first stage, and a
// condition of every residual block.
#include "roundtrip/nn/conv_encoder.h"

#include <torch/nn/modules/container/modulelist.h>
#include <torch/types.h>

#include "roundtrip/nn/resample.h"
#include "roundtrip/nn/residual_block.h"

namespace roundtrip {
namespace {

// Residual blocks, then the halving when there is one.
class DownBlock : public torch::nn::Module {
 public:
  DownBlock(int64_t inputs, int64_t outputs, bool halve, const ConvStackOptions& options) {
    resnets_ = register_module("resnets", torch::nn::ModuleList());
    for (int64_t i = 0; i < options.blocks; ++i) {
      resnets_->push_back(ResidualBlock(ResidualBlockOptions{i == 0 ? inputs : outputs, outputs,
                                                             options.groups, options.condition}));
    }
    if (halve) {
      down_ = Downsample(outputs);
      register_module("downsamplers", torch::nn::ModuleList(down_));
    }
  }

  torch::Tensor forward(torch::Tensor x, const torch::Tensor& condition) {
    for (const auto& block : *resnets_) x = block->as<ResidualBlock>()->forward(x, condition);
    return down_.is_empty() ? x : down_(x);
  }

 private:
  torch::nn::ModuleList resnets_;
  Downsample down_{nullptr};
};

}  // namespace

ConvEncoderImpl::ConvEncoderImpl(const ConvStackOptions& options) {
  check(options);
  conv_in_ = register_module("conv_in", same_convolution(options.image_channels, options.stem));
  down_blocks_ = register_module("down_blocks", torch::nn::ModuleList());
  int64_t channels = options.stem;
  for (const int64_t width : options.widths) {
    const bool halve = static_cast<int64_t>(down_blocks_->size()) < options.downsamplings();
    down_blocks_->push_back(std::make_shared<DownBlock>(channels, width, halve, options));
    channels = width;
  }
  mid_block_ = register_module("mid_block", MidBlock(channels, options));
  norm_out_ = register_module("conv_norm_out", group_norm(options.groups, channels));
  conv_out_ = register_module("conv_out", same_convolution(channels, 2 * options.latent_channels));
}

torch::Tensor ConvEncoderImpl::forward(const torch::Tensor& x, const torch::Tensor& condition) {
  torch::Tensor inner = conv_in_(x);
  for (const auto& block : *down_blocks_) inner = block->as<DownBlock>()->forward(inner, condition);
  return conv_out_(torch::silu(norm_out_(mid_block_(inner, condition))));
}

}  // namespace roundtrip

// The decoder of Rombach et al. 2022. A stage of the encoder works at its fine grid and then
// halves; where every stage halves, its mirror doubles first and then works. Stable Diffusion's
// last stage does not halve, so there the first stage works at the bottleneck's grid and each
// doubles after.
#include "roundtrip/nn/conv_decoder.h"

#include <torch/nn/modules/container/modulelist.h>
#include <torch/types.h>

#include "roundtrip/nn/resample.h"
#include "roundtrip/nn/residual_block.h"

namespace roundtrip {
namespace {

enum class Doubling { none, before, after };

class UpBlock : public torch::nn::Module {
 public:
  UpBlock(int64_t inputs, int64_t outputs, Doubling doubling, const ConvStackOptions& options)
      : doubling_(doubling) {
    resnets_ = register_module("resnets", torch::nn::ModuleList());
    for (int64_t i = 0; i <= options.blocks; ++i) {
      resnets_->push_back(ResidualBlock(ResidualBlockOptions{i == 0 ? inputs : outputs, outputs,
                                                             options.groups, options.condition}));
    }
    if (doubling == Doubling::none) return;
    up_ = Upsample(doubling == Doubling::before ? inputs : outputs);
    register_module("upsamplers", torch::nn::ModuleList(up_));
  }

  torch::Tensor forward(torch::Tensor x, const torch::Tensor& condition) {
    if (doubling_ == Doubling::before) x = up_(x);
    for (const auto& block : *resnets_) x = block->as<ResidualBlock>()->forward(x, condition);
    return doubling_ == Doubling::after ? up_(x) : x;
  }

 private:
  Doubling doubling_;
  torch::nn::ModuleList resnets_;
  Upsample up_{nullptr};
};

}  // namespace

ConvDecoderImpl::ConvDecoderImpl(const ConvStackOptions& options) {
  check(options);
  int64_t channels = options.widths.back();
  conv_in_ = register_module("conv_in", same_convolution(options.latent_channels, channels));
  mid_block_ = register_module("mid_block", MidBlock(channels, options));
  up_blocks_ = register_module("up_blocks", torch::nn::ModuleList());
  for (size_t i = options.widths.size(); i-- > 0;) {
    const Doubling unless_last = i == 0 ? Doubling::none : Doubling::after;
    const Doubling doubling = options.downsample_every_stage ? Doubling::before : unless_last;
    up_blocks_->push_back(
        std::make_shared<UpBlock>(channels, options.widths[i], doubling, options));
    channels = options.widths[i];
  }
  norm_out_ = register_module("conv_norm_out", group_norm(options.groups, channels));
  conv_out_ = register_module("conv_out", same_convolution(channels, options.image_channels));
}

torch::Tensor ConvDecoderImpl::forward(const torch::Tensor& z, const torch::Tensor& condition) {
  torch::Tensor inner = mid_block_(conv_in_(z), condition);
  for (const auto& block : *up_blocks_) inner = block->as<UpBlock>()->forward(inner, condition);
  return conv_out_(torch::silu(norm_out_(inner)));
}

}  // namespace roundtrip

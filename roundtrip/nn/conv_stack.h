#pragma once

#include <cstdint>
#include <vector>

#include <torch/nn/modules/container/modulelist.h>
#include <torch/types.h>

namespace roundtrip {

/// Sizes of a convolutional encoder and of the decoder that mirrors it.
struct ConvStackOptions {
  int64_t image_channels = 1;   // of the images that go in and come out
  int64_t latent_channels = 4;  // at the bottleneck; the encoder gives mean and log variance
  int64_t stem = 32;            // channels of the encoder's first convolution
  std::vector<int64_t> widths;  // channels of the stages, finest first
  int64_t blocks = 1;     // residual blocks per stage of the encoder; the decoder has one more
  int64_t heads = 1;      // of the attention at the bottleneck
  int64_t groups = 32;    // of the normalisations
  int64_t condition = 0;  // size of the condition of every residual block; 0 = none
  bool downsample_every_stage = true;  // false: the last stage keeps its size (Stable Diffusion)

  /// How often height and width are halved.
  int64_t downsamplings() const {
    return static_cast<int64_t>(widths.size()) - (downsample_every_stage ? 0 : 1);
  }
};

/// Residual block, attention, residual block. Keys as in diffusers: resnets, attentions.
class MidBlockImpl : public torch::nn::Module {
 public:
  MidBlockImpl(int64_t channels, const ConvStackOptions& options);
  /// x (batch, channels, height, width) and the blocks' condition; the shape of x.
  torch::Tensor forward(const torch::Tensor& x, const torch::Tensor& condition);

 private:
  torch::nn::ModuleList resnets_, attentions_;
};
TORCH_MODULE(MidBlock);

/// Parameters of the encoder and the decoder of these sizes, without building them.
struct ConvStackSize {
  int64_t encoder = 0, decoder = 0;
};
ConvStackSize count_parameters(const ConvStackOptions& options);

/// Throws an Error when the sizes make no network.
void check(const ConvStackOptions& options);

}  // namespace roundtrip

#pragma once

#include <cstdint>

#include <torch/nn/modules/conv.h>
#include <torch/nn/modules/linear.h>
#include <torch/nn/modules/normalization.h>
#include <torch/types.h>

namespace roundtrip {

/// Group normalisation over (batch, channels, height, width), epsilon 1e-6. Channels that `groups`
/// does not divide get as many groups as divide both.
torch::nn::GroupNorm group_norm(int64_t groups, int64_t channels);

/// A square convolution that keeps height and width (odd `kernel`, zeros around the image).
torch::nn::Conv2d same_convolution(int64_t inputs, int64_t outputs, int64_t kernel = 3);

/// Feature-wise affine modulation by a condition: x -> gamma(c) x + beta(c), one linear map of c to
/// gamma - 1 and beta. Perez et al. 2018.
class FilmImpl : public torch::nn::Module {
 public:
  FilmImpl(int64_t condition, int64_t channels);
  /// x (batch, channels, height, width), condition (batch, condition size); the shape of x.
  torch::Tensor forward(const torch::Tensor& x, const torch::Tensor& condition);
  /// Weights that make it the identity for every condition: gamma 1, beta 0.
  void initialise_as_identity();

 private:
  torch::nn::Linear linear_{nullptr};
};
TORCH_MODULE(Film);

struct ResidualBlockOptions {
  int64_t inputs = 0;     // channels in
  int64_t outputs = 0;    // channels out; a 1x1 convolution adapts the skip when they differ
  int64_t groups = 32;    // of the normalisations
  int64_t condition = 0;  // size of the condition that modulates the second one; 0 = none
};

/// x + conv(SiLU(FiLM(norm(conv(SiLU(norm(x))))))), keys as in diffusers (norm1, conv1, norm2,
/// conv2, conv_shortcut) and `film`.
class ResidualBlockImpl : public torch::nn::Module {
 public:
  explicit ResidualBlockImpl(const ResidualBlockOptions& options);
  /// x (batch, inputs, height, width), condition (batch, condition size) unless that size is 0;
  /// result (batch, outputs, height, width).
  torch::Tensor forward(const torch::Tensor& x, const torch::Tensor& condition = {});

 private:
  torch::nn::GroupNorm norm1_{nullptr}, norm2_{nullptr};
  torch::nn::Conv2d conv1_{nullptr}, conv2_{nullptr}, shortcut_{nullptr};
  Film film_{nullptr};
};
TORCH_MODULE(ResidualBlock);

}  // namespace roundtrip

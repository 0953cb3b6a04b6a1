#include "roundtrip/nn/dense.h"

#include <torch/types.h>

namespace roundtrip {
namespace {

torch::Tensor affine(const torch::Tensor& x, const torch::Tensor& weight,
                     const torch::Tensor& bias) {
  if (x.dim() == 2) return torch::addmm(bias, x, weight.t());
  std::vector<int64_t> shape = x.sizes().vec();
  shape.back() = weight.size(0);
  return torch::addmm(bias, x.reshape({-1, x.size(-1)}), weight.t()).view(shape);
}

}  // namespace

DenseImpl::DenseImpl(int64_t inputs, int64_t outputs)
    : weight(register_parameter("weight", torch::zeros({outputs, inputs}))),
      bias(register_parameter("bias", torch::zeros({outputs}))) {}

torch::Tensor DenseImpl::forward(const torch::Tensor& x) { return affine(x, weight, bias); }

torch::Tensor DenseImpl::forward_part(const torch::Tensor& x, int64_t first, int64_t count) {
  return affine(x, weight.narrow(/*dim=*/0, first, count), bias.narrow(/*dim=*/0, first, count));
}

}  // namespace roundtrip

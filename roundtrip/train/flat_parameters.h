#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <torch/types.h>

#include "roundtrip/nn/module_file.h"

namespace roundtrip {

/// The trainable parameters of a module as one flat tensor, their gradients as another: the
/// module's own tensors become views of them. One pass over memory then clips, steps and averages
/// (AdamW), ranks exchange slices, and a checkpoint is a handful of tensors.
///
/// The module must outlive this and keep its type and device.
class FlatParameters {
 public:
  /// One parameter's location in the flat tensors, which have no gaps.
  struct Slice {
    std::string name;
    int64_t begin = 0;
    int64_t size = 0;
    std::vector<int64_t> shape;
  };

  explicit FlatParameters(torch::nn::Module& module);

  torch::Tensor& values() { return values_; }
  torch::Tensor& gradients() { return gradients_; }
  const std::vector<Slice>& slices() const { return slices_; }
  /// The module's parameters, in the order of the slices.
  const std::vector<torch::Tensor>& parameters() const { return parameters_; }

  /// A flat tensor like `values` cut into named parameters that share its memory.
  NamedTensors named(const torch::Tensor& flat) const;

 private:
  std::vector<Slice> slices_;
  std::vector<torch::Tensor> parameters_;
  torch::Tensor values_;
  torch::Tensor gradients_;
};

/// Puts other values (an average of weights) into the parameters while it lives.
class SwappedValues {
 public:
  SwappedValues(FlatParameters& parameters, const torch::Tensor& values);
  ~SwappedValues();
  SwappedValues(const SwappedValues&) = delete;
  SwappedValues& operator=(const SwappedValues&) = delete;

 private:
  FlatParameters& parameters_;
  torch::Tensor kept_;
};

}  // namespace roundtrip

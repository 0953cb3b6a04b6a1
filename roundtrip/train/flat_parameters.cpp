#include "roundtrip/train/flat_parameters.h"

#include <torch/nn/module.h>
#include <torch/types.h>
#include <torch/utils.h>

#include "roundtrip/base/error.h"

namespace roundtrip {
FlatParameters::FlatParameters(torch::nn::Module& module) {
  const torch::NoGradGuard no_grad;
  int64_t end = 0;
  for (const auto& item : module.named_parameters()) {
    const torch::Tensor& parameter = item.value();
    if (!parameter.requires_grad()) continue;
    ensure(parameters_.empty() || parameter.scalar_type() == parameters_[0].scalar_type(),
           "parameters of one module have one type");
    slices_.push_back({item.key(), end, parameter.numel(), parameter.sizes().vec()});
    parameters_.push_back(parameter);
    end += parameter.numel();
  }
  ensure(!parameters_.empty(), "a module to train has parameters");
  values_ = torch::zeros({end}, parameters_[0].options().requires_grad(false));
  gradients_ = torch::zeros_like(values_);
  for (size_t i = 0; i < slices_.size(); ++i) {
    const Slice& slice = slices_[i];
    torch::Tensor value = values_.narrow(0, slice.begin, slice.size).view(slice.shape);
    value.copy_(parameters_[i]);
    parameters_[i].set_data(value);
    // Backward adds to a gradient that is there, in place: it stays a view.
    parameters_[i].mutable_grad() = gradients_.narrow(0, slice.begin, slice.size).view(slice.shape);
  }
}

NamedTensors FlatParameters::named(const torch::Tensor& flat) const {
  NamedTensors tensors;
  for (const Slice& slice : slices_) {
    tensors[slice.name] = flat.narrow(0, slice.begin, slice.size).view(slice.shape);
  }
  return tensors;
}

SwappedValues::SwappedValues(FlatParameters& parameters, const torch::Tensor& values)
    : parameters_(parameters), kept_(parameters.values().clone()) {
  parameters_.values().copy_(values);
}

SwappedValues::~SwappedValues() { parameters_.values().copy_(kept_); }

}  // namespace roundtrip

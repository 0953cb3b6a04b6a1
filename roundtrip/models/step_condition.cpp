#include "roundtrip/models/step_condition.h"

#include <torch/types.h>

#include "roundtrip/nn/init.h"
#include "roundtrip/nn/sinusoid.h"

namespace roundtrip {

StepCondition::StepCondition(torch::nn::Module& owner, int64_t frequencies, int64_t width,
                             bool time_index)
    : frequencies_(frequencies) {
  step_ = owner.register_module("step_projection", Dense(frequencies, width));
  if (time_index) {
    time_ = owner.register_module("time_projection", Dense(frequencies, width));
  }
  directions_ = owner.register_parameter("direction_embedding", torch::zeros({2, width}));
  fc1_ = owner.register_module("condition_fc1", Dense(width, width));
  fc2_ = owner.register_module("condition_fc2", Dense(width, width));
}

void StepCondition::initialise_directions(uint64_t seed, double scale) {
  const torch::NoGradGuard no_grad;
  directions_.copy_(scale * keyed_normal(directions_.sizes(), seed, "init.direction_embedding"));
}

torch::Tensor StepCondition::operator()(const torch::Tensor& k, const torch::Tensor& t,
                                        const torch::Tensor& direction) {
  const auto type = directions_.scalar_type();
  torch::Tensor sum = torch::silu(step_(sinusoid(k, frequencies_, type)));
  if (!time_.is_empty()) sum = sum + torch::silu(time_(sinusoid(t, frequencies_, type)));
  sum = sum + directions_.index_select(/*dim=*/0, (direction < 0).to(torch::kInt64));
  return torch::silu(fc2_(torch::silu(fc1_(sum))));
}

}  // namespace roundtrip

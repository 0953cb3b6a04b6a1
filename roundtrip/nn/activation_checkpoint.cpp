// Trading a second forward pass for memory: Chen et al. 2016, "Training deep nets with sublinear
// memory cost".
#include "roundtrip/nn/activation_checkpoint.h"

#include <torch/autograd.h>
#include <torch/nn/module.h>
#include <torch/types.h>
#include <torch/utils.h>

namespace roundtrip {
namespace {

using Tensors = std::vector<torch::Tensor>;
using Layer = std::function<torch::Tensor(const Tensors&)>;

// What the second pass needs beside tensors; autograd keeps it in its saved data.
struct Recipe : torch::CustomClassHolder {
  Layer layer;
  size_t inputs = 0;  // of the saved tensors, those that are not parameters
};

struct Checkpoint : torch::autograd::Function<Checkpoint> {
  // `tensors`: the inputs, then the parameters, so that autograd routes gradients to both.
  static torch::Tensor forward(torch::autograd::AutogradContext* context,
                               c10::intrusive_ptr<Recipe> recipe, at::TensorList tensors) {
    const Tensors inputs(tensors.begin(), tensors.begin() + recipe->inputs);
    context->save_for_backward(tensors.vec());
    context->saved_data["recipe"] = torch::IValue::make_capsule(recipe);
    return recipe->layer(inputs);  // autograd records nothing inside a Function
  }

  static Tensors backward(torch::autograd::AutogradContext* context, const Tensors& gradients) {
    const auto capsule = context->saved_data["recipe"].toCapsule();
    const auto& recipe = static_cast<const Recipe&>(*capsule);
    Tensors sources = context->get_saved_variables();
    for (size_t i = 0; i < recipe.inputs; ++i) {
      sources[i] = sources[i].detach().requires_grad_(sources[i].requires_grad());
    }
    Tensors wanted;
    for (const torch::Tensor& source : sources) {
      if (source.requires_grad()) wanted.push_back(source);
    }
    Tensors found;
    {
      const torch::AutoGradMode record(true);
      const torch::Tensor output = recipe.layer({sources.begin(), sources.begin() + recipe.inputs});
      found = torch::autograd::grad({output}, wanted, gradients, /*retain_graph=*/false,
                                    /*create_graph=*/false, /*allow_unused=*/true);
    }
    Tensors result(1);  // the recipe has no gradient
    auto next = found.begin();
    for (const torch::Tensor& source : sources) {
      result.push_back(source.requires_grad() ? *next++ : torch::Tensor());
    }
    return result;
  }
};

}  // namespace

torch::Tensor checkpointed(torch::nn::Module& module, const Tensors& inputs, const Layer& layer) {
  if (!torch::GradMode::is_enabled()) return layer(inputs);
  Tensors tensors = inputs;
  for (const torch::Tensor& parameter : module.parameters()) tensors.push_back(parameter);
  auto recipe = c10::make_intrusive<Recipe>();
  recipe->layer = layer;
  recipe->inputs = inputs.size();
  return Checkpoint::apply(recipe, at::TensorList(tensors));
}

}  // namespace roundtrip

#pragma once

#include <cstdint>
#include <string_view>

#include <torch/types.h>

namespace torch::nn {
class Module;
}

namespace roundtrip {

/// Standard normal numbers, drawn by (seed, purpose, index) alone and rounded to `type`.
torch::Tensor keyed_normal(torch::IntArrayRef shape, uint64_t seed, std::string_view purpose,
                           uint64_t index = 0, torch::ScalarType type = torch::kFloat32);

/// Gives every parameter of a module its initial value, keyed by (seed, name of the parameter): the
/// order of construction and torch's global generator do not matter. Matrices and convolutions are
/// Xavier-uniform, embedding tables (`*.embedding.weight`) 0.02 N(0, 1), biases zero, and scales of
/// normalisation layers (other vectors named `weight`) one. Modules that want other
/// initial values set them afterwards.
void initialise(torch::nn::Module& module, uint64_t seed);

}  // namespace roundtrip

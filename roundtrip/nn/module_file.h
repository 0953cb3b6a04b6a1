#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>

#include <torch/types.h>

#include "roundtrip/io/safetensors.h"

namespace torch::nn {
class Module;
}

namespace roundtrip {

using NamedTensors = std::map<std::string, torch::Tensor>;

/// Parameters and buffers of a module by PyTorch's names. The tensors share the module's memory.
NamedTensors named_tensors(const torch::nn::Module& module);

/// Rounds parameters and buffers to what half precision can hold; their type stays.
void round_to_half(torch::nn::Module& module);

/// Writes tensors (float16, float32, float64 or int64) as a safetensors file, whole or not at all; the same
/// tensors give the same bytes.
void write_tensors(const std::filesystem::path& path, const NamedTensors& tensors,
                   const std::map<std::string, std::string>& metadata = {});

/// One tensor of a file, in its stored type (F16 and BF16 as float32).
torch::Tensor read_tensor(const SafetensorsFile& file, const std::string& name);

/// Copies a file's tensors into the module. `stored_name` gives the file's name of a module's
/// tensor (identity by default). A tensor that is missing, has another shape or belongs to nothing
/// in the module is an Error that names it.
void read_module(const std::filesystem::path& path, torch::nn::Module& module,
                 const std::function<std::string(const std::string&)>& stored_name = {});

}  // namespace roundtrip

#include "roundtrip/nn/module_file.h"

#include <set>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/nn/module.h>

#include "roundtrip/base/error.h"

namespace roundtrip {
namespace {

TensorType stored_type(const torch::Tensor& tensor) {
  switch (tensor.scalar_type()) {
    case torch::kFloat16:
      return TensorType::f16;
    case torch::kFloat32:
      return TensorType::f32;
    case torch::kFloat64:
      return TensorType::f64;
    case torch::kInt64:
      return TensorType::i64;
    default:
      throw Bug("a tensor of a type we do not store");
  }
}

std::span<std::byte> bytes_of(torch::Tensor& tensor) {
  return {static_cast<std::byte*>(tensor.data_ptr()), tensor.nbytes()};
}

}  // namespace

NamedTensors named_tensors(const torch::nn::Module& module) {
  NamedTensors tensors;
  for (const auto& item : module.named_parameters()) tensors[item.key()] = item.value().detach();
  for (const auto& item : module.named_buffers()) tensors[item.key()] = item.value().detach();
  return tensors;
}

void round_to_half(torch::nn::Module& module) {
  const torch::NoGradGuard no_grad;
  for (auto& [name, tensor] : named_tensors(module)) {
    if (tensor.is_floating_point()) tensor.copy_(tensor.to(torch::kFloat16));
  }
}

void write_tensors(const std::filesystem::path& path, const NamedTensors& tensors,
                   const std::map<std::string, std::string>& metadata) {
  std::vector<torch::Tensor> kept;  // holds the bytes while they are written
  std::vector<TensorView> views;
  kept.reserve(tensors.size());
  for (const auto& [name, tensor] : tensors) {
    kept.push_back(tensor.detach().cpu().contiguous());
    views.push_back({name, stored_type(tensor), tensor.sizes().vec(), bytes_of(kept.back())});
  }
  write_safetensors(path, views, metadata);
}

torch::Tensor read_tensor(const SafetensorsFile& file, const std::string& name) {
  const TensorInfo& info = file.find(name);
  const bool whole = info.type == TensorType::i64 || info.type == TensorType::f64;
  torch::Tensor tensor = torch::empty(
      info.shape, info.type == TensorType::i64
                      ? torch::kInt64
                      : (info.type == TensorType::f64 ? torch::kFloat64 : torch::kFloat32));
  if (whole) {
    file.read_bytes(info, bytes_of(tensor));
  } else {
    file.read_floats(info, {tensor.data_ptr<float>(), static_cast<size_t>(tensor.numel())});
  }
  return tensor;
}

void read_module(const std::filesystem::path& path, torch::nn::Module& module,
                 const std::function<std::string(const std::string&)>& stored_name) {
  const torch::NoGradGuard no_grad;
  const SafetensorsFile file(path);
  std::set<std::string> used;
  for (auto& [name, tensor] : named_tensors(module)) {
    const std::string stored = stored_name ? stored_name(name) : name;
    const torch::Tensor value = read_tensor(file, stored);
    if (value.sizes() != tensor.sizes()) {
      throw Error("model", fmt::format("{}: {}: expected shape ({}), found ({}); the file belongs "
                                       "to a network of other sizes",
                                       path.string(), stored, fmt::join(tensor.sizes(), ", "),
                                       fmt::join(value.sizes(), ", ")));
    }
    tensor.copy_(value);
    used.insert(stored);
  }
  for (const TensorInfo& info : file.tensors()) {
    if (used.contains(info.name)) continue;
    throw Error("model", fmt::format("{}: {}: the network has no such tensor; the file belongs to "
                                     "a network of another kind",
                                     path.string(), info.name));
  }
}

}  // namespace roundtrip

#include "roundtrip/rollout/torchscript_stepper.h"

#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/script.h>

#include "roundtrip/base/error.h"

namespace roundtrip {
namespace {

constexpr const char* kSignature =
    "forward(window (B,n,F,H,W), anchor (B,F,H,W), target_index (B), direction (B)) -> (B,F,H,W)";

// Torch's messages carry a stack of its own; one line of them says what happened.
std::string telling_line(std::string_view text) {
  std::string found;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    if (line.starts_with("RuntimeError") || line.find("Error: ") != std::string_view::npos) {
      return std::string(line);
    }
    if (found.empty() && !line.empty()) found = line;
    at = end + 1;
  }
  return found;
}

torch::Tensor copy_of(const torch::Tensor& frames) {
  return frames.to(torch::kFloat32, /*non_blocking=*/false, /*copy=*/true);
}

class TorchScriptStepper final : public Stepper {
 public:
  TorchScriptStepper(const std::string& path, const FrameShape& frame, int64_t contexts)
      : path_(path), frame_(frame), contexts_(contexts) {
    if (!std::filesystem::is_regular_file(path)) {
      throw Error("torchscript", fmt::format("{}: no such file", path));
    }
    try {
      module_ = torch::jit::load(path, torch::kCPU);
    } catch (const c10::Error& error) {
      throw Error("torchscript",
                  fmt::format("{}: expected a file that torch.jit.save wrote, found something else "
                              "({})",
                              path, telling_line(error.what_without_backtrace())));
    }
    module_.eval();
    if (module_.hasattr("contexts") && module_.attr("contexts").isInt()) {
      contexts_ = module_.attr("contexts").toInt();
    }
    if (contexts_ < 1) {
      throw Error("torchscript",
                  fmt::format("{}: expected at least 1 context frame, found {}", path, contexts_));
    }
    for (const int64_t direction : {+1, -1}) try_out(direction);
  }

  torch::Tensor step(const FrameWindows& inputs) override {
    const torch::NoGradGuard no_grad;
    torch::Tensor next;
    try {
      // Copies: a module may write to what it is given, or give back a part of it.
      const auto result = module_.forward({copy_of(inputs.context), copy_of(inputs.anchor),
                                           inputs.target_index.clone(), inputs.direction.clone()});
      if (result.isTensor()) next = result.toTensor();
    } catch (const std::exception& error) {
      throw Error("torchscript", fmt::format("{}: expected {}; the module failed: {}", path_,
                                             kSignature, telling_line(error.what())));
    }
    if (!next.defined() || next.sizes() != inputs.anchor.sizes() || !next.is_floating_point()) {
      throw Error(
          "torchscript",
          fmt::format("{}: expected {}, a floating-point tensor of {}; found {}", path_, kSignature,
                      fmt::join(inputs.anchor.sizes(), "x"),
                      next.defined() ? fmt::format("one of {} ({})", fmt::join(next.sizes(), "x"),
                                                   c10::toString(next.scalar_type()))
                                     : std::string("no tensor")));
    }
    return next.to(torch::kFloat32);
  }

  int64_t contexts() const override { return contexts_; }
  FrameShape frame() const override { return frame_; }

 private:
  // Two rows, so that a batch size written into the module is noticed.
  void try_out(int64_t direction) {
    const torch::Tensor anchor = torch::zeros(frame_.sizes({2}), torch::kFloat32);
    const torch::Tensor index = torch::full({2}, contexts_, torch::kInt64);
    step({anchor.unsqueeze(1).repeat({1, contexts_, 1, 1, 1}), anchor, index,
          torch::full({2}, direction, torch::kInt64)});
  }

  std::string path_;
  FrameShape frame_;
  int64_t contexts_;
  torch::jit::Module module_;
};

}  // namespace

std::unique_ptr<Stepper> make_torchscript_stepper(const std::string& path, const FrameShape& frame,
                                                  int64_t contexts) {
  return std::make_unique<TorchScriptStepper>(path, frame, contexts);
}

}  // namespace roundtrip

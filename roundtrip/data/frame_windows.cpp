#include "roundtrip/data/frame_windows.h"

#include <torch/types.h>

namespace roundtrip {

FrameWindows FrameWindows::narrow(int64_t first, int64_t count) const {
  return {context.narrow(0, first, count), anchor.narrow(0, first, count),
          target_index.narrow(0, first, count), direction.narrow(0, first, count)};
}

FrameWindows FrameWindows::to(torch::ScalarType type, torch::Device device) const {
  return {context.to(device, type), anchor.to(device, type), target_index.to(device),
          direction.to(device)};
}

void FrameWindows::copy_(const FrameWindows& other) {
  context.copy_(other.context);
  anchor.copy_(other.anchor);
  target_index.copy_(other.target_index);
  direction.copy_(other.direction);
}

FrameWindows FrameWindows::advanced(const torch::Tensor& next) const {
  return {torch::cat({context.narrow(1, 1, contexts() - 1), next.unsqueeze(1)}, 1), anchor,
          target_index + direction, direction};
}

void FrameWindows::advance(const torch::Tensor& next) {
  // Slot by slot, since source and destination of one copy would overlap.
  for (int64_t slot = 0; slot + 1 < contexts(); ++slot) {
    context.select(1, slot).copy_(context.select(1, slot + 1));
  }
  nearest().copy_(next);
  target_index.add_(direction);
}

FrameWindows one_window(const torch::Tensor& context, const torch::Tensor& anchor,
                        int64_t target_index, int64_t direction) {
  return {context.unsqueeze(0), anchor.unsqueeze(0), torch::full({1}, target_index, torch::kInt64),
          torch::full({1}, direction, torch::kInt64)};
}

}  // namespace roundtrip

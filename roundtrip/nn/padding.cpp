// Gradients are written by hand: those of torch's slices and joins fill a whole image with zeros
// for every strip, which took as long as the convolutions between them.
#include "roundtrip/nn/padding.h"

#include <torch/autograd.h>
#include <torch/types.h>

#include "roundtrip/base/error.h"

namespace roundtrip {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

torch::Tensor strip(const torch::Tensor& x, int64_t axis, int64_t first, int64_t count) {
  return x.narrow(axis, first, count);
}

torch::Tensor padded(const torch::Tensor& x, int64_t axis, int64_t width, Padding padding) {
  const int64_t size = x.size(axis);
  if (padding == Padding::circular) {
    return torch::cat({strip(x, axis, size - width, width), x, strip(x, axis, 0, width)}, axis);
  }
  std::vector<int64_t> shape = x.sizes().vec();
  shape[static_cast<size_t>(axis)] = width;
  if (padding == Padding::replicate) {
    // As x lies in memory, so that the whole does.
    const auto repeated = [&](int64_t index) {
      return strip(x, axis, index, 1).expand(shape).contiguous(x.suggest_memory_format());
    };
    return torch::cat({repeated(0), x, repeated(size - 1)}, axis);
  }
  const torch::Tensor zeros =
      torch::zeros(shape, x.options()).contiguous(x.suggest_memory_format());
  return torch::cat({zeros, x, zeros}, axis);
}

// The adjoint of `padded`: what fell on a copy belongs to its original.
torch::Tensor folded(const torch::Tensor& gradient, int64_t axis, int64_t width, Padding padding) {
  const int64_t size = gradient.size(axis) - 2 * width;
  torch::Tensor sum = strip(gradient, axis, width, size).clone(gradient.suggest_memory_format());
  const torch::Tensor before = strip(gradient, axis, 0, width);
  const torch::Tensor after = strip(gradient, axis, width + size, width);
  if (padding == Padding::circular) {
    strip(sum, axis, size - width, width).add_(before);
    strip(sum, axis, 0, width).add_(after);
  } else if (padding == Padding::replicate) {
    strip(sum, axis, 0, 1).add_(before.sum(axis, /*keepdim=*/true));
    strip(sum, axis, size - 1, 1).add_(after.sum(axis, /*keepdim=*/true));
  }
  return sum;
}

class PadAxis : public torch::autograd::Function<PadAxis> {
 public:
  static torch::Tensor forward(AutogradContext* context, const torch::Tensor& x, int64_t axis,
                               int64_t width, int64_t padding) {
    context->saved_data["axis"] = axis;
    context->saved_data["width"] = width;
    context->saved_data["padding"] = padding;
    return padded(x, axis, width, static_cast<Padding>(padding));
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const auto of = [&](const char* name) { return context->saved_data[name].toInt(); };
    return {folded(gradients[0], of("axis"), of("width"), static_cast<Padding>(of("padding"))),
            {},
            {},
            {}};
  }
};

}  // namespace

const Registry<ChoiceEntry<Padding>>& paddings() {
  static const Registry<ChoiceEntry<Padding>> rows = {
      {"zeros", "zeros", Padding::zeros},
      {"circular", "the opposite edge: a periodic axis", Padding::circular},
      {"replicate", "the nearest pixel: an axis with open ends or walls", Padding::replicate},
  };
  return rows;
}

torch::Tensor pad(const torch::Tensor& images, int64_t width, const AxisPadding& padding) {
  ensure(images.dim() == 4 && width >= 0, "padding: images (B, C, H, W)");
  if (width == 0) return images;
  const auto fits = [&](Padding kind, int64_t axis) {
    return kind != Padding::circular || images.size(axis) >= width;
  };
  ensure(fits(padding.rows, 2) && fits(padding.columns, 3), "padding: wider than a periodic axis");
  const torch::Tensor tall = PadAxis::apply(images, 2, width, static_cast<int64_t>(padding.rows));
  return PadAxis::apply(tall, 3, width, static_cast<int64_t>(padding.columns));
}

}  // namespace roundtrip

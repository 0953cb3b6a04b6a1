#include "roundtrip/nn/feed_forward.h"

#include <numbers>

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <torch/autograd.h>
#include <torch/types.h>

#include "roundtrip/nn/vector_math.h"

namespace roundtrip {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using Tensors = torch::autograd::variable_list;

constexpr int64_t kNumbersPerThread = 8192;

// (1 + tanh u) / 2 is the logistic function of 2 u: one exp, and no cancellation in the tails.
template <class T>
constexpr T kSlope = static_cast<T>(2 * std::numbers::sqrt2 * std::numbers::inv_sqrtpi);
template <class T>
constexpr T kCubic = static_cast<T>(0.044715);

template <class T>
T logistic(T x) {
  return 1 / (1 + vector_exp(-kSlope<T> * (x + kCubic<T> * x * x * x)));
}

template <class T>
void gelu_forward(const Tensor& x, Tensor& y) {
  const T* from = x.data_ptr<T>();
  T* to = y.data_ptr<T>();
  at::parallel_for(0, x.numel(), kNumbersPerThread, [&](int64_t begin, int64_t end) {
#pragma omp simd
    for (int64_t i = begin; i < end; ++i) to[i] = from[i] * logistic(from[i]);
  });
}

template <class T>
void gelu_backward(const Tensor& x, const Tensor& dy, Tensor& dx) {
  const T* at = x.data_ptr<T>();
  const T* from = dy.data_ptr<T>();
  T* to = dx.data_ptr<T>();
  at::parallel_for(0, x.numel(), kNumbersPerThread, [&](int64_t begin, int64_t end) {
#pragma omp simd
    for (int64_t i = begin; i < end; ++i) {
      const T s = logistic(at[i]);
      const T slope = kSlope<T> * (1 + 3 * kCubic<T> * at[i] * at[i]);
      to[i] = from[i] * (s + at[i] * s * (1 - s) * slope);
    }
  });
}

struct Gelu : torch::autograd::Function<Gelu> {
  static Tensor forward(AutogradContext* context, const Tensor& x) {
    context->save_for_backward({x});
    Tensor y = torch::empty_like(x);
    AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "gelu", [&] { gelu_forward<scalar_t>(x, y); });
    return y;
  }

  static Tensors backward(AutogradContext* context, const Tensors& gradients) {
    const Tensor x = context->get_saved_variables()[0];
    const Tensor dy = gradients[0].contiguous();
    Tensor dx = torch::empty_like(x);
    AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "gelu_backward",
                               [&] { gelu_backward<scalar_t>(x, dy, dx); });
    return {dx};
  }
};

}  // namespace

Tensor gelu_tanh(Tensor x) {
  if (!has_vector_loops(x)) return torch::gelu(x, "tanh");
  x = x.contiguous();
  if (torch::GradMode::is_enabled()) return Gelu::apply(x);
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "gelu", [&] { gelu_forward<scalar_t>(x, x); });
  return x;
}

FeedForwardImpl::FeedForwardImpl(int64_t width, int64_t hidden)
    : fc1(register_module("fc1", Dense(width, hidden))),
      fc2(register_module("fc2", Dense(hidden, width))) {}

Tensor FeedForwardImpl::forward(const Tensor& x) { return fc2(gelu_tanh(fc1(x))); }

}  // namespace roundtrip

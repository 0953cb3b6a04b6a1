// LayerNorm, modulation and gated sums in one pass over memory each. Torch's own chain of
// operations takes four passes forward and ten backward; at these sizes the passes, not the
// arithmetic, cost.
#include "roundtrip/nn/modulation.h"

#include <cmath>

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

// What normalises one token: (x - mean) * rstd.
template <class T>
struct Moments {
  T mean, rstd;
};

template <class T>
Moments<T> moments_of(const T* x, int64_t width) {
  T sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int64_t j = 0; j < width; ++j) sum += x[j];
  const T mean = sum / static_cast<T>(width);
  T squares = 0;
#pragma omp simd reduction(+ : squares)
  for (int64_t j = 0; j < width; ++j) squares += (x[j] - mean) * (x[j] - mean);
  return {mean, 1 / std::sqrt(squares / static_cast<T>(width) + static_cast<T>(kNormEpsilon))};
}

// A matrix of vectors per row of the batch, (B, D), rows perhaps apart.
template <class T>
struct Rows {
  explicit Rows(const Tensor& x) : data(x.data_ptr<T>()), stride(x.stride(0)) {}
  T* operator[](int64_t b) const { return data + b * stride; }
  T* data;
  int64_t stride;
};

Tensor dense_rows(const Tensor& x) { return x.stride(1) == 1 ? x : x.contiguous(); }

template <class T>
void norm_forward(const Tensor& x, const Tensor& shift, const Tensor& scale, Tensor& y) {
  const int64_t tokens = x.size(1), width = x.size(2);
  const Rows<T> shifts(shift), scales(scale);
  const T* from = x.data_ptr<T>();
  T* to = y.data_ptr<T>();
  at::parallel_for(0, x.size(0) * tokens, rows_per_thread(width), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const T* in = from + i * width;
      T* out = to + i * width;
      const T* add = shifts[i / tokens];
      const T* factor = scales[i / tokens];
      const auto [mean, rstd] = moments_of(in, width);
#pragma omp simd
      for (int64_t j = 0; j < width; ++j) {
        out[j] = (in[j] - mean) * rstd * (1 + factor[j]) + add[j];
      }
    }
  });
}

// With n = norm(x), g = dy (1 + scale):  dx = rstd (g - mean(g) - n mean(g n)).
template <class T>
void norm_backward_token(const T* x, const T* dy, const T* scale, int64_t width, T* dx, T* dshift,
                         T* dscale) {
  const auto [mean, rstd] = moments_of(x, width);
  T sum = 0, projected = 0;
#pragma omp simd reduction(+ : sum, projected)
  for (int64_t j = 0; j < width; ++j) {
    const T norm = (x[j] - mean) * rstd;
    const T g = dy[j] * (1 + scale[j]);
    sum += g;
    projected += g * norm;
  }
  sum /= static_cast<T>(width);
  projected /= static_cast<T>(width);
#pragma omp simd
  for (int64_t j = 0; j < width; ++j) {
    const T norm = (x[j] - mean) * rstd;
    dx[j] = rstd * (dy[j] * (1 + scale[j]) - sum - norm * projected);
    dshift[j] += dy[j];
    dscale[j] += dy[j] * norm;
  }
}

template <class T>
void norm_backward(const Tensor& x, const Tensor& scale, const Tensor& dy, Tensor& dx,
                   Tensor& dshift, Tensor& dscale) {
  const int64_t tokens = x.size(1), width = x.size(2);
  const Rows<T> scales(scale), dshifts(dshift), dscales(dscale);
  at::parallel_for(0, x.size(0), 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin * tokens; i < end * tokens; ++i) {
      const int64_t b = i / tokens;
      norm_backward_token(x.data_ptr<T>() + i * width, dy.data_ptr<T>() + i * width, scales[b],
                          width, dx.data_ptr<T>() + i * width, dshifts[b], dscales[b]);
    }
  });
}

// y may be x's or out's memory.
template <class T>
void residual_forward(const Tensor& x, const Tensor& y, const Tensor& gate, Tensor& out) {
  const int64_t tokens = x.size(1), width = x.size(2);
  const Rows<T> gates(gate);
  const T* from = x.data_ptr<T>();
  const T* added = y.data_ptr<T>();
  T* to = out.data_ptr<T>();
  at::parallel_for(0, x.size(0) * tokens, rows_per_thread(width), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const T* factor = gates[i / tokens];
#pragma omp simd
      for (int64_t j = i * width; j < (i + 1) * width; ++j) {
        to[j] = from[j] + factor[j - i * width] * added[j];
      }
    }
  });
}

template <class T>
void residual_backward(const Tensor& y, const Tensor& gate, const Tensor& dout, Tensor& dy,
                       Tensor& dgate) {
  const int64_t tokens = y.size(1), width = y.size(2);
  const Rows<T> gates(gate), dgates(dgate);
  at::parallel_for(0, y.size(0), 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin * tokens; i < end * tokens; ++i) {
      const T* factor = gates[i / tokens];
      T* dfactor = dgates[i / tokens];
      const T* value = y.data_ptr<T>() + i * width;
      const T* in = dout.data_ptr<T>() + i * width;
      T* out = dy.data_ptr<T>() + i * width;
#pragma omp simd
      for (int64_t j = 0; j < width; ++j) {
        out[j] = factor[j] * in[j];
        dfactor[j] += value[j] * in[j];
      }
    }
  });
}

struct ModulatedNorm : torch::autograd::Function<ModulatedNorm> {
  static Tensor forward(AutogradContext* context, const Tensor& x, const Tensor& shift,
                        const Tensor& scale) {
    context->save_for_backward({x, scale});
    Tensor y = torch::empty_like(x);
    AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "modulated_norm",
                               [&] { norm_forward<scalar_t>(x, shift, scale, y); });
    return y;
  }

  static Tensors backward(AutogradContext* context, const Tensors& gradients) {
    const Tensors saved = context->get_saved_variables();
    const Tensor &x = saved[0], &scale = saved[1];
    const Tensor dy = gradients[0].contiguous();
    Tensor dx = torch::empty_like(x);
    Tensor dshift = torch::zeros(scale.sizes(), x.options()), dscale = torch::zeros_like(dshift);
    AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "modulated_norm_backward",
                               [&] { norm_backward<scalar_t>(x, scale, dy, dx, dshift, dscale); });
    return {dx, dshift, dscale};
  }
};

struct GatedResidual : torch::autograd::Function<GatedResidual> {
  static Tensor forward(AutogradContext* context, const Tensor& x, const Tensor& y,
                        const Tensor& gate) {
    context->save_for_backward({y, gate});
    Tensor out = torch::empty_like(x);
    AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "gated_residual",
                               [&] { residual_forward<scalar_t>(x, y, gate, out); });
    return out;
  }

  static Tensors backward(AutogradContext* context, const Tensors& gradients) {
    const Tensors saved = context->get_saved_variables();
    const Tensor &y = saved[0], &gate = saved[1];
    const Tensor dout = gradients[0].contiguous();
    Tensor dy = torch::empty_like(y), dgate = torch::zeros(gate.sizes(), y.options());
    AT_DISPATCH_FLOATING_TYPES(y.scalar_type(), "gated_residual_backward",
                               [&] { residual_backward<scalar_t>(y, gate, dout, dy, dgate); });
    return {dout, dy, dgate};
  }
};

}  // namespace

Tensor plain_modulated_norm(const Tensor& x, const Tensor& shift, const Tensor& scale) {
  const Tensor norm = torch::layer_norm(x, {x.size(-1)}, {}, {}, kNormEpsilon);
  return norm * (1 + scale.unsqueeze(1)) + shift.unsqueeze(1);
}

Tensor plain_gated_residual(const Tensor& x, const Tensor& y, const Tensor& gate) {
  return torch::addcmul(x, gate.unsqueeze(1), y);
}

Tensor modulated_norm(const Tensor& x, const Tensor& shift, const Tensor& scale) {
  if (!has_vector_loops(x)) return plain_modulated_norm(x, shift, scale);
  return ModulatedNorm::apply(x.contiguous(), dense_rows(shift), dense_rows(scale));
}

Tensor gated_residual(const Tensor& x, Tensor y, const Tensor& gate) {
  if (!has_vector_loops(x)) return plain_gated_residual(x, y, gate);
  if (torch::GradMode::is_enabled()) {
    return GatedResidual::apply(x.contiguous(), y.contiguous(), dense_rows(gate));
  }
  y = y.contiguous();
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "gated_residual", [&] {
    residual_forward<scalar_t>(x.contiguous(), y, dense_rows(gate), y);
  });
  return y;
}

}  // namespace roundtrip

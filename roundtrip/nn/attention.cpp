// Attention one head and one block of queries at a time, so that the logits stay in the cache and
// are never stored: the gradient computes them again from q, k and the logarithm of each row's sum.
// Dao et al. 2022, "FlashAttention". Heads are read where they lie, without copies or transposes;
// threads share out heads, each with its own small matrix products.
#include "roundtrip/nn/attention.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <torch/autograd.h>
#include <torch/types.h>

#include "roundtrip/nn/blas.h"
#include "roundtrip/nn/vector_math.h"

namespace roundtrip {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using Tensors = torch::autograd::variable_list;

constexpr int64_t kLogitsInCache = 1 << 16;  // of one block, a quarter of a megabyte

struct Sizes {
  int64_t batch, queries, tokens, heads, head;  // head: features of one

  Sizes(const Tensor& q, const Tensor& k, int64_t count)
      : batch(q.size(0)),
        queries(q.size(1)),
        tokens(k.size(1)),
        heads(count),
        head(q.size(2) / count) {}
  int64_t block() const {
    return std::clamp<int64_t>(kLogitsInCache / tokens, std::min<int64_t>(queries, 16), queries);
  }
  double scale() const { return 1 / std::sqrt(static_cast<double>(head)); }
};

// Head h of row b, from token `first` on, of a (B, T, D) tensor.
template <class T>
Matrix<T> head_of(const Tensor& x, const Sizes& sizes, int64_t b, int64_t h, int64_t first = 0) {
  return {
      x.data_ptr<std::remove_const_t<T>>() + b * x.stride(0) + first * x.stride(1) + h * sizes.head,
      x.stride(1)};
}

// Turns a row of logits into exp(logit - largest); returns the logarithm of the sum of exp(logit)
// and, in `sum`, the sum of what stands in the row now.
template <class T>
T exponentiate(T* row, int64_t tokens, T& sum) {
  T largest = row[0];
#pragma omp simd reduction(max : largest)
  for (int64_t j = 0; j < tokens; ++j) largest = std::max(largest, row[j]);
  T total = 0;
#pragma omp simd reduction(+ : total)
  for (int64_t j = 0; j < tokens; ++j) {
    row[j] = vector_exp(row[j] - largest);
    total += row[j];
  }
  sum = total;
  return largest + std::log(total);
}

template <class T>
void forward_block(const Tensor& q, const Tensor& k, const Tensor& v, const Sizes& s, int64_t b,
                   int64_t h, int64_t first, int64_t count, T* logits, Tensor& out, T* log_sums) {
  multiply<T>(Op::plain, Op::transposed, count, s.tokens, s.head, static_cast<T>(s.scale()),
              head_of<const T>(q, s, b, h, first), head_of<const T>(k, s, b, h), 0,
              {logits, s.tokens});
  for (int64_t i = 0; i < count; ++i) {
    T sum = 0;
    log_sums[i] = exponentiate(logits + i * s.tokens, s.tokens, sum);
    const T share = 1 / sum;
    T* row = logits + i * s.tokens;
#pragma omp simd
    for (int64_t j = 0; j < s.tokens; ++j) row[j] *= share;
  }
  multiply<T>(Op::plain, Op::plain, count, s.head, s.tokens, 1, {logits, s.tokens},
              head_of<const T>(v, s, b, h), 0, head_of<T>(out, s, b, h, first));
}

// log_sums (B, H, Q)
template <class T>
void attention_forward(const Tensor& q, const Tensor& k, const Tensor& v, const Sizes& s,
                       Tensor& out, Tensor& log_sums) {
  const int64_t block = s.block();
  at::parallel_for(0, s.batch * s.heads, 1, [&](int64_t begin, int64_t end) {
    const auto logits = std::make_unique_for_overwrite<T[]>(block * s.tokens);
    for (int64_t i = begin; i < end; ++i) {
      for (int64_t first = 0; first < s.queries; first += block) {
        forward_block<T>(q, k, v, s, i / s.heads, i % s.heads, first,
                         std::min(block, s.queries - first), logits.get(), out,
                         log_sums.data_ptr<T>() + i * s.queries + first);
      }
    }
  });
}

// Gradients of one head of one row: tensors of the shapes of q, k, v.
struct Gradients {
  Tensor q, k, v;
};

// With weights p and a row's mean of dp, r = sum_j dp_j p_j = dout . out:  dlogit = p (dp - r).
template <class T>
void backward_rows(int64_t count, const Sizes& s, Matrix<const T> out, Matrix<const T> dout,
                   const T* log_sums, T* weights, T* dlogits) {
  for (int64_t i = 0; i < count; ++i) {
    const T* o = out.data + i * out.stride;
    const T* d = dout.data + i * dout.stride;
    T mean = 0;
#pragma omp simd reduction(+ : mean)
    for (int64_t j = 0; j < s.head; ++j) mean += o[j] * d[j];
    T* p = weights + i * s.tokens;
    T* dp = dlogits + i * s.tokens;
    const T log_sum = log_sums[i];
#pragma omp simd
    for (int64_t j = 0; j < s.tokens; ++j) {
      p[j] = vector_exp(p[j] - log_sum);
      dp[j] = p[j] * (dp[j] - mean);
    }
  }
}

template <class T>
void attention_backward(const Tensor& q, const Tensor& k, const Tensor& v, const Sizes& s,
                        const Tensor& out, const Tensor& log_sums, const Tensor& dout,
                        Gradients& to) {
  const int64_t block = s.block();
  const T scale = static_cast<T>(s.scale());
  at::parallel_for(0, s.batch * s.heads, 1, [&](int64_t begin, int64_t end) {
    const auto memory = std::make_unique_for_overwrite<T[]>(2 * block * s.tokens);
    T* weights = memory.get();
    T* dlogits = weights + block * s.tokens;
    const Matrix<const T> p{weights, s.tokens}, dl{dlogits, s.tokens};
    for (int64_t i = begin; i < end; ++i) {
      const int64_t b = i / s.heads, h = i % s.heads;
      const Matrix<const T> keys = head_of<const T>(k, s, b, h),
                            values = head_of<const T>(v, s, b, h);
      for (int64_t first = 0; first < s.queries; first += block) {
        const int64_t count = std::min(block, s.queries - first);
        const T sum = first == 0 ? 0 : 1;  // blocks after the first add to the keys' gradients
        const Matrix<const T> queries = head_of<const T>(q, s, b, h, first);
        const Matrix<const T> d = head_of<const T>(dout, s, b, h, first);
        multiply<T>(Op::plain, Op::transposed, count, s.tokens, s.head, scale, queries, keys, 0,
                    {weights, s.tokens});
        multiply<T>(Op::plain, Op::transposed, count, s.tokens, s.head, 1, d, values, 0,
                    {dlogits, s.tokens});
        backward_rows<T>(count, s, head_of<const T>(out, s, b, h, first), d,
                         log_sums.data_ptr<T>() + i * s.queries + first, weights, dlogits);
        multiply<T>(Op::transposed, Op::plain, s.tokens, s.head, count, 1, p, d, sum,
                    head_of<T>(to.v, s, b, h));
        multiply<T>(Op::transposed, Op::plain, s.tokens, s.head, count, scale, dl, queries, sum,
                    head_of<T>(to.k, s, b, h));
        multiply<T>(Op::plain, Op::plain, count, s.head, s.tokens, scale, dl, keys, 0,
                    head_of<T>(to.q, s, b, h, first));
      }
    }
  });
}

// Runs the forward pass and keeps its traces in the context.
Tensor run_forward(AutogradContext* context, const Tensor& q, const Tensor& k, const Tensor& v,
                   int64_t heads, Tensors saved) {
  const Sizes sizes(q, k, heads);
  Tensor out = torch::empty(q.sizes(), q.options());
  Tensor log_sums = torch::empty({sizes.batch, heads, sizes.queries}, q.options());
  AT_DISPATCH_FLOATING_TYPES(q.scalar_type(), "attention",
                             [&] { attention_forward<scalar_t>(q, k, v, sizes, out, log_sums); });
  saved.push_back(out);
  saved.push_back(log_sums);
  context->save_for_backward(saved);
  context->saved_data["heads"] = heads;
  return out;
}

void run_backward(AutogradContext* context, const Tensor& q, const Tensor& k, const Tensor& v,
                  const Tensors& saved, const Tensor& gradient, Gradients to) {
  const Sizes sizes(q, k, context->saved_data["heads"].toInt());
  const Tensor& out = saved[saved.size() - 2];
  const Tensor& log_sums = saved[saved.size() - 1];
  const Tensor dout = gradient.contiguous();
  AT_DISPATCH_FLOATING_TYPES(q.scalar_type(), "attention_backward", [&] {
    attention_backward<scalar_t>(q, k, v, sizes, out, log_sums, dout, to);
  });
}

Gradients thirds(const Tensor& qkv) {
  const int64_t width = qkv.size(2) / 3;
  return {qkv.narrow(2, 0, width), qkv.narrow(2, width, width), qkv.narrow(2, 2 * width, width)};
}

struct Attention : torch::autograd::Function<Attention> {
  static Tensor forward(AutogradContext* context, const Tensor& q, const Tensor& k, const Tensor& v,
                        int64_t heads) {
    return run_forward(context, q, k, v, heads, {q, k, v});
  }
  static Tensors backward(AutogradContext* context, const Tensors& gradients) {
    const Tensors saved = context->get_saved_variables();
    const Gradients to = {torch::empty(saved[0].sizes(), saved[0].options()),
                          torch::empty(saved[1].sizes(), saved[1].options()),
                          torch::empty(saved[2].sizes(), saved[2].options())};
    run_backward(context, saved[0], saved[1], saved[2], saved, gradients[0], to);
    return {to.q, to.k, to.v, Tensor()};
  }
};

// One gradient for the three parts, in one tensor.
struct PackedAttention : torch::autograd::Function<PackedAttention> {
  static Tensor forward(AutogradContext* context, const Tensor& qkv, int64_t heads) {
    const auto [q, k, v] = thirds(qkv);
    return run_forward(context, q, k, v, heads, {qkv});
  }
  static Tensors backward(AutogradContext* context, const Tensors& gradients) {
    const Tensors saved = context->get_saved_variables();
    const auto [q, k, v] = thirds(saved[0]);
    const Tensor dqkv = torch::empty_like(saved[0]);
    run_backward(context, q, k, v, saved, gradients[0], thirds(dqkv));
    return {dqkv, Tensor()};
  }
};

// (B, T, D) -> (B, H, T, d), a view.
Tensor split_heads(const Tensor& x, int64_t heads) {
  return x.unflatten(/*dim=*/2, {heads, x.size(2) / heads}).transpose(1, 2);
}

Tensor dense_columns(const Tensor& x) { return x.stride(2) == 1 ? x : x.contiguous(); }

}  // namespace

Tensor plain_attention(const Tensor& q, const Tensor& k, const Tensor& v, int64_t heads) {
  const double scale = 1 / std::sqrt(static_cast<double>(q.size(2) / heads));
  const Tensor logits =
      torch::matmul(split_heads(q, heads) * scale, split_heads(k, heads).transpose(2, 3));
  const Tensor mixed = torch::matmul(torch::softmax(logits, /*dim=*/-1), split_heads(v, heads));
  return mixed.transpose(1, 2).flatten(/*start_dim=*/2);
}

Tensor attention(const Tensor& q, const Tensor& k, const Tensor& v, int64_t heads) {
  if (!has_vector_loops(q) || !has_multiply()) return plain_attention(q, k, v, heads);
  return Attention::apply(dense_columns(q), dense_columns(k), dense_columns(v), heads);
}

Tensor attention(const Tensor& qkv, int64_t heads) {
  if (has_vector_loops(qkv) && has_multiply()) {
    return PackedAttention::apply(qkv.contiguous(), heads);
  }
  const auto [q, k, v] = thirds(qkv);
  return plain_attention(q, k, v, heads);
}

}  // namespace roundtrip

#include "roundtrip/train/adamw.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <torch/types.h>
#include <torch/utils.h>

namespace roundtrip {
namespace {

// A fixed size, so that partial sums are the same for any number of threads.
constexpr int64_t kChunk = 1 << 16;

template <class Number>
double sum_of_squares(const Number* values, int64_t size) {
  const int64_t chunks = (size + kChunk - 1) / kChunk;
  std::vector<double> sums(static_cast<size_t>(chunks));
  at::parallel_for(0, chunks, 1, [&](int64_t first, int64_t last) {
    for (int64_t chunk = first; chunk < last; ++chunk) {
      double sum = 0;
      const int64_t end = std::min(size, (chunk + 1) * kChunk);
      for (int64_t i = chunk * kChunk; i < end; ++i) {
        sum += static_cast<double>(values[i]) * static_cast<double>(values[i]);
      }
      sums[static_cast<size_t>(chunk)] = sum;
    }
  });
  double sum = 0;
  for (const double part : sums) sum += part;
  return sum;
}

// What one element's update needs besides its own numbers.
struct Update {
  double scale;  // of the gradient
  double beta1, beta2;
  double rate;        // learning rate / (1 - beta1^t)
  double root_scale;  // 1 / sqrt(1 - beta2^t)
  double epsilon;
  double decay;    // learning rate * weight decay
  double average;  // weight of the new value in the average
};

template <class Number>
void update(Number* __restrict value, Number* __restrict gradient, Number* __restrict first,
            Number* __restrict second, Number* __restrict average, int64_t size, const Update& u) {
  const auto scale = static_cast<Number>(u.scale), rate = static_cast<Number>(u.rate);
  const auto keep1 = static_cast<Number>(u.beta1), take1 = static_cast<Number>(1 - u.beta1);
  const auto keep2 = static_cast<Number>(u.beta2), take2 = static_cast<Number>(1 - u.beta2);
  const auto root_scale = static_cast<Number>(u.root_scale);
  const auto epsilon = static_cast<Number>(u.epsilon);
  const auto keep = static_cast<Number>(1 - u.decay), blend = static_cast<Number>(u.average);
  for (int64_t i = 0; i < size; ++i) {
    const Number g = gradient[i] * scale;
    gradient[i] = 0;
    first[i] = keep1 * first[i] + take1 * g;
    second[i] = keep2 * second[i] + take2 * g * g;
    const Number root = std::sqrt(second[i]) * root_scale + epsilon;
    value[i] = keep * value[i] - rate * first[i] / root;
    average[i] += blend * (value[i] - average[i]);
  }
}

void update_on_cpu(torch::Tensor value, torch::Tensor gradient, torch::Tensor first,
                   torch::Tensor second, torch::Tensor average, const Update& u) {
  AT_DISPATCH_FLOATING_TYPES(value.scalar_type(), "adamw", [&] {
    const auto at = [](torch::Tensor& tensor) { return tensor.data_ptr<scalar_t>(); };
    at::parallel_for(0, value.numel(), kChunk, [&](int64_t i, int64_t end) {
      update(at(value) + i, at(gradient) + i, at(first) + i, at(second) + i, at(average) + i,
             end - i, u);
    });
  });
}

// The same by torch's operations, for devices other than the processor.
void update_by_tensors(torch::Tensor value, torch::Tensor gradient, torch::Tensor first,
                       torch::Tensor second, torch::Tensor average, const Update& u) {
  gradient.mul_(u.scale);
  first.mul_(u.beta1).add_(gradient, 1 - u.beta1);
  second.mul_(u.beta2).addcmul_(gradient, gradient, 1 - u.beta2);
  gradient.zero_();
  value.mul_(1 - u.decay)
      .addcdiv_(first, second.sqrt().mul_(u.root_scale).add_(u.epsilon), -u.rate);
  average.lerp_(value, u.average);
}

// At 1 nothing would ever be forgotten, and the first step would divide by zero.
constexpr double kLongestMemory = 0.9999999;

}  // namespace

void bind(AdamWOptions& options, const std::string& prefix, Settings& settings) {
  settings.add(prefix + "beta1", options.beta1, "decay of the mean gradient")
      .within(0, kLongestMemory);
  settings.add(prefix + "beta2", options.beta2, "decay of the mean squared gradient")
      .within(0, kLongestMemory);
  settings.add(prefix + "epsilon", options.epsilon, "added to the root of the latter").at_least(0);
  settings.add(prefix + "weight_decay", options.weight_decay, "decay of matrices").at_least(0);
  settings.add(prefix + "clip", options.clip, "largest norm of the gradient; 0 = any").at_least(0);
  settings
      .add(prefix + "ema_decay", options.ema_decay,
           "decay of the exponential moving average of the weights")
      .within(0, 1);
}

AdamW::AdamW(FlatParameters& parameters, const AdamWOptions& options)
    : parameters_(parameters),
      options_(options),
      first_(torch::zeros_like(parameters.values())),
      second_(torch::zeros_like(parameters.values())),
      average_(parameters.values().clone()) {}

double AdamW::gradient_norm() const {
  const torch::Tensor& gradients = parameters_.gradients();
  if (!gradients.is_cpu()) return gradients.norm().item<double>();
  double sum = 0;
  AT_DISPATCH_FLOATING_TYPES(gradients.scalar_type(), "gradient_norm", [&] {
    sum = sum_of_squares(gradients.data_ptr<scalar_t>(), gradients.numel());
  });
  return std::sqrt(sum);
}

void AdamW::step(double learning_rate, double norm) {
  ++steps_;
  const auto t = static_cast<double>(steps_);
  const bool clipped = options_.clip > 0 && norm > options_.clip;
  Update shared{.scale = clipped ? options_.clip / norm : 1.0,
                .beta1 = options_.beta1,
                .beta2 = options_.beta2,
                .rate = learning_rate / (1 - std::pow(options_.beta1, t)),
                .root_scale = 1 / std::sqrt(1 - std::pow(options_.beta2, t)),
                .epsilon = options_.epsilon,
                .decay = 0,
                .average = 1 - std::min(options_.ema_decay, (1 + t) / (10 + t))};
  const torch::NoGradGuard no_grad;
  torch::Tensor& values = parameters_.values();
  torch::Tensor& gradients = parameters_.gradients();
  for (const FlatParameters::Slice& slice : parameters_.slices()) {
    Update mine = shared;
    if (slice.shape.size() >= 2) mine.decay = learning_rate * options_.weight_decay;
    const auto part = [&](torch::Tensor& flat) { return flat.narrow(0, slice.begin, slice.size); };
    const auto work = values.is_cpu() ? update_on_cpu : update_by_tensors;
    work(part(values), part(gradients), part(first_), part(second_), part(average_), mine);
  }
}

}  // namespace roundtrip

#include "roundtrip/nn/modulation.h"

#include <gtest/gtest.h>
#include <torch/autograd.h>
#include <torch/types.h>
#include <torch/utils.h>

#include "tests/support/finite_difference.h"

namespace roundtrip {
namespace {

using Tensors = std::vector<torch::Tensor>;

// Shift, scale and gate as the layers pass them: columns of one wider matrix.
Tensors vectors(int64_t batch, int64_t width, torch::ScalarType type) {
  return wave({batch, 3 * width}, 0.9, type).chunk(3, /*dim=*/1);
}

Tensors gradients_of(const torch::Tensor& output, const Tensors& sources) {
  return torch::autograd::grad({(output * wave(output.sizes(), 0.3, output.scalar_type())).sum()},
                               sources);
}

// Double agrees to rounding; float to a few units in the last place of sums of D or T terms.
class ModulationTest : public ::testing::TestWithParam<torch::ScalarType> {
 protected:
  const torch::ScalarType type_ = GetParam();
  const double tolerance_ = type_ == torch::kFloat64 ? 1e-13 : 5e-6;
};

TEST_P(ModulationTest, NormIsTorchsOwnOperations) {
  for (const auto& [batch, tokens, width] :
       std::vector<std::array<int64_t, 3>>{{3, 5, 24}, {1, 1, 7}, {2, 33, 64}}) {
    const torch::Tensor x = (3 * wave({batch, tokens, width}, 0.1, type_) + 5).requires_grad_(true);
    Tensors sources = vectors(batch, width, type_);
    for (torch::Tensor& source : sources) source.requires_grad_(true);
    const torch::Tensor found = modulated_norm(x, sources[0], sources[1]);
    const torch::Tensor expected = plain_modulated_norm(x, sources[0], sources[1]);
    EXPECT_LT(relative_difference(found, expected), tolerance_);
    const Tensors wanted = {x, sources[0], sources[1]};
    const Tensors a = gradients_of(found, wanted), b = gradients_of(expected, wanted);
    for (size_t i = 0; i < a.size(); ++i) {
      EXPECT_LT(relative_difference(a[i], b[i]), tolerance_) << width << " source " << i;
    }
  }
}

TEST_P(ModulationTest, ResidualIsTorchsOwnOperations) {
  const torch::Tensor x = wave({3, 5, 24}, 0.1, type_).requires_grad_(true);
  const torch::Tensor y = wave({3, 5, 24}, 0.5, type_).requires_grad_(true);
  const torch::Tensor gate = vectors(3, 24, type_)[2].requires_grad_(true);
  const torch::Tensor found = gated_residual(x, y, gate);
  const torch::Tensor expected = plain_gated_residual(x, y, gate);
  EXPECT_LT(relative_difference(found, expected), tolerance_);
  const Tensors a = gradients_of(found, {x, y, gate}), b = gradients_of(expected, {x, y, gate});
  for (size_t i = 0; i < a.size(); ++i) EXPECT_LT(relative_difference(a[i], b[i]), tolerance_);

  const torch::NoGradGuard no_grad;
  EXPECT_TRUE(torch::equal(gated_residual(x, y.clone(), gate), found));
}

INSTANTIATE_TEST_SUITE_P(Types, ModulationTest, ::testing::Values(torch::kFloat32, torch::kFloat64),
                         [](const auto& type) { return torch::toString(type.param); });

TEST(Modulation, GradientsAreDifferences) {
  expect_gradients([](const Tensors& s) { return modulated_norm(s[0], s[1], s[2]); },
                   {wave({2, 3, 8}, 0.1), wave({2, 8}, 0.2), wave({2, 8}, 0.4)});
  expect_gradients([](const Tensors& s) { return gated_residual(s[0], s[1].clone(), s[2]); },
                   {wave({2, 3, 8}, 0.1), wave({2, 3, 8}, 0.2), wave({2, 8}, 0.4)});
}

// A gradient that came from an expand or a transpose is as good as a dense one.
TEST(Modulation, TakesGradientsOfAnyStride) {
  const torch::Tensor x = wave({2, 3, 8}, 0.1).requires_grad_(true);
  const torch::Tensor shift = wave({2, 8}, 0.2), scale = wave({2, 8}, 0.4);
  const auto gradient = [&](const torch::Tensor& y) {
    return torch::autograd::grad({y.sum() + (y.transpose(1, 2) * wave({2, 8, 3}, 1)).sum()},
                                 {x})[0];
  };
  EXPECT_LT(relative_difference(
                gradient(gated_residual(modulated_norm(x, shift, scale), x, scale)),
                gradient(plain_gated_residual(plain_modulated_norm(x, shift, scale), x, scale))),
            1e-13);
}

}  // namespace
}  // namespace roundtrip

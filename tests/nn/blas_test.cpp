#include "roundtrip/nn/blas.h"

#include <gtest/gtest.h>
#include <torch/types.h>

#include "tests/support/finite_difference.h"

namespace roundtrip {
namespace {

// Parts of wider matrices, every combination of transposes, added to what was there.
template <class T>
void expect_products(torch::ScalarType type, double tolerance) {
  const torch::Tensor wide_a = wave({8, 9}, 0.1, type), wide_b = wave({8, 9}, 0.2, type);
  for (const Op op_a : {Op::plain, Op::transposed}) {
    for (const Op op_b : {Op::plain, Op::transposed}) {
      constexpr int64_t m = 2, n = 5, k = 4;
      const bool ta = op_a == Op::transposed, tb = op_b == Op::transposed;
      torch::Tensor a = wide_a.slice(0, 0, ta ? k : m).slice(1, 0, ta ? m : k);
      torch::Tensor b = wide_b.slice(0, 0, tb ? n : k).slice(1, 0, tb ? k : n);
      torch::Tensor c = torch::ones({m, n}, type);
      multiply<T>(op_a, op_b, m, n, k, 2, {wide_a.data_ptr<T>(), 9}, {wide_b.data_ptr<T>(), 9}, 3,
                  {c.data_ptr<T>(), n});
      if (ta) a = a.t();
      if (tb) b = b.t();
      EXPECT_LT(relative_difference(c, 2 * a.mm(b) + 3), tolerance) << ta << tb;
    }
  }
}

TEST(Multiply, IsTorchsProduct) {
  ASSERT_TRUE(has_multiply());
  expect_products<float>(torch::kFloat32, 1e-6);
  expect_products<double>(torch::kFloat64, 1e-14);
}

}  // namespace
}  // namespace roundtrip

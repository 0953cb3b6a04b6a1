#include "roundtrip/nn/sinusoid.h"

#include <cmath>

#include <gtest/gtest.h>
#include <torch/types.h>

namespace roundtrip {
namespace {

TEST(Sinusoid, CosinesThenSinesOfFallingFrequencies) {
  const torch::Tensor features = sinusoid(torch::tensor({int64_t{0}, int64_t{3}}), 4);
  // Frequencies 1 and 10000^(-1/2) = 0.01.
  const torch::Tensor expected =
      torch::tensor(
          {{1.0, 1.0, 0.0, 0.0}, {std::cos(3), std::cos(0.03), std::sin(3), std::sin(0.03)}})
          .to(torch::kFloat32);
  EXPECT_TRUE(torch::allclose(features, expected, 0, 1e-7));
}

// The features' inner product depends on the difference of two numbers alone.
TEST(Sinusoid, AShiftIsARotation) {
  const torch::Tensor f = sinusoid(torch::arange(1000), 256, torch::kFloat64);
  EXPECT_NEAR(f[3].dot(f[10]).item<double>(), f[900].dot(f[907]).item<double>(), 1e-9);
}

TEST(GridSinusoid, TellsRowsFromColumns) {
  const torch::Tensor grid = grid_sinusoid(2, 3, 8);
  ASSERT_EQ(grid.sizes(), torch::IntArrayRef({6, 8}));
  const torch::Tensor one = sinusoid(torch::arange(3), 4);
  EXPECT_TRUE(torch::equal(grid[5].slice(0, 0, 4), one[1]));  // row 1
  EXPECT_TRUE(torch::equal(grid[5].slice(0, 4, 8), one[2]));  // column 2
}

}  // namespace
}  // namespace roundtrip

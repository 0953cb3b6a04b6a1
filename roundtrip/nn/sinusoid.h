#pragma once

#include <cstdint>

#include <torch/types.h>

namespace roundtrip {

/// Sinusoidal features of whole numbers: (B) -> (B, width), first the cosines, then the sines, of
/// width / 2 frequencies that fall geometrically from 1 towards 1 / 10000. `width` is even.
torch::Tensor sinusoid(const torch::Tensor& numbers, int64_t width,
                       torch::ScalarType type = torch::kFloat32);

/// Sinusoidal features of the cells of a grid, row by row: (rows * columns, width). The first half
/// of a feature vector tells the row, the second the column. `width` is a multiple of 4.
torch::Tensor grid_sinusoid(int64_t rows, int64_t columns, int64_t width,
                            torch::ScalarType type = torch::kFloat32);

}  // namespace roundtrip

#include "roundtrip/nn/padding.h"

#include <gtest/gtest.h>
#include <torch/types.h>

#include "tests/support/finite_difference.h"

namespace roundtrip {
namespace {

// Row r, column c of image b, channel ch is 1000 b + 100 ch + 10 r + c.
torch::Tensor numbered(int64_t height, int64_t width) {
  const auto along = [](int64_t n, double scale, std::vector<int64_t> shape) {
    return scale * torch::arange(n, torch::kFloat64).view(shape);
  };
  return along(2, 1000, {2, 1, 1, 1}) + along(3, 100, {1, 3, 1, 1}) +
         along(height, 10, {1, 1, height, 1}) + along(width, 1, {1, 1, 1, width});
}

// What lies at index i of an axis of n, or -1 for a zero.
int64_t source(Padding padding, int64_t i, int64_t n) {
  if (i >= 0 && i < n) return i;
  if (padding == Padding::circular) return (i + n) % n;
  return padding == Padding::replicate ? std::clamp<int64_t>(i, 0, n - 1) : -1;
}

TEST(Padding, EveryPixelIsTheOneItsAxisSays) {
  const torch::Tensor x = numbered(4, 5);
  for (const auto& rows : paddings()) {
    for (const auto& columns : paddings()) {
      const torch::Tensor y = pad(x, 2, {rows.value, columns.value});
      ASSERT_EQ(y.sizes(), torch::IntArrayRef({2, 3, 8, 9}));
      for (int64_t r = 0; r < 8; ++r) {
        for (int64_t c = 0; c < 9; ++c) {
          const int64_t from = source(rows.value, r - 2, 4), at = source(columns.value, c - 2, 5);
          const double expected = from < 0 || at < 0 ? 0 : x[1][2][from][at].item<double>();
          EXPECT_EQ(y[1][2][r][c].item<double>(), expected) << rows.name << " " << columns.name;
        }
      }
    }
  }
}

TEST(Padding, GradientsAreDifferences) {
  for (const auto& rows : paddings()) {
    for (const auto& columns : paddings()) {
      const torch::Tensor x = 0.01 * numbered(3, 4);
      expect_gradients(
          [&](const std::vector<torch::Tensor>& s) {
            return pad(s[0], 2, {rows.value, columns.value}).square();
          },
          {x}, /*stride=*/5);
    }
  }
}

TEST(Padding, KeepsChannelsLast) {
  const torch::Tensor x = numbered(4, 5).contiguous(torch::MemoryFormat::ChannelsLast);
  for (const auto& rows : paddings()) {
    for (const auto& columns : paddings()) {
      for (const int64_t width : {1, 2}) {
        const AxisPadding both = {rows.value, columns.value};
        const torch::Tensor y = pad(x, width, both);
        EXPECT_TRUE(y.is_contiguous(torch::MemoryFormat::ChannelsLast))
            << rows.name << " " << columns.name << " " << width;
        EXPECT_TRUE(torch::equal(y, pad(x.contiguous(), width, both)));
      }
    }
  }
}

}  // namespace
}  // namespace roundtrip

#include "roundtrip/nn/patches.h"

#include <gtest/gtest.h>
#include <torch/types.h>

namespace roundtrip {
namespace {

// Each number spells its own place: frame, channel, row, column.
torch::Tensor places(int64_t frames, int64_t channels, int64_t height, int64_t width) {
  torch::Tensor x = torch::empty({1, frames, channels, height, width});
  for (int64_t m = 0; m < frames; ++m)
    for (int64_t f = 0; f < channels; ++f)
      for (int64_t i = 0; i < height; ++i)
        for (int64_t j = 0; j < width; ++j)
          x[0][m][f][i][j] = static_cast<double>(1000 * m + 100 * f + 10 * i + j);
  return x;
}

TEST(Patches, TheChannelVariesFastest) {
  const torch::Tensor patches = patchify(places(2, 2, 2, 4), 2);
  ASSERT_EQ(patches.sizes(), torch::IntArrayRef({1, 4, 8}));
  // The second frame's second patch: rows 0-1, columns 2-3, channels inside.
  EXPECT_TRUE(torch::equal(patches[0][3], torch::tensor({1002.f, 1102.f, 1003.f, 1103.f, 1012.f,
                                                         1112.f, 1013.f, 1113.f})));
}

TEST(Patches, StackedFramesLieSideBySide) {
  const torch::Tensor frames = places(3, 2, 4, 6);
  const torch::Tensor apart = patchify(frames, 2).view({3, 6, 8});
  EXPECT_TRUE(torch::equal(patchify_stacked(frames, 2)[0],
                           torch::cat({apart[0], apart[1], apart[2]}, /*dim=*/1)));
}

TEST(Patches, UnpatchifyUndoes) {
  for (const int64_t patch : {1, 2}) {
    const torch::Tensor frames = places(1, 3, 4, 12);
    EXPECT_TRUE(torch::equal(unpatchify(patchify(frames, patch), 4, 12, patch), frames[0]));
  }
}

}  // namespace
}  // namespace roundtrip

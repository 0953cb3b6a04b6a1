#include "roundtrip/nn/patch_pca.h"

#include <torch/types.h>
#include <torch/utils.h>

#include "roundtrip/base/error.h"

namespace roundtrip {

PatchComponents patch_components(const torch::Tensor& images, int64_t side, int64_t count) {
  ensure(images.dim() == 3 && count <= side * side, "images, and no more components than pixels");
  const torch::NoGradGuard no_grad;
  const torch::Tensor patches = images.detach()
                                    .to(torch::kFloat64)
                                    .unfold(/*dimension=*/1, side, side)
                                    .unfold(/*dimension=*/2, side, side)
                                    .reshape({-1, side * side});
  const torch::Tensor mean = patches.mean(/*dim=*/0);
  const torch::Tensor centred = patches - mean;
  const torch::Tensor covariance = centred.t().mm(centred) / static_cast<double>(patches.size(0));
  const auto [variances, vectors] = torch::linalg_eigh(covariance);  // ascending, in columns
  torch::Tensor directions = vectors.flip({1}).narrow(/*dim=*/1, 0, count).t().contiguous();
  const torch::Tensor largest =
      directions.gather(1, directions.abs().argmax(/*dim=*/1, /*keepdim=*/true));
  directions = directions * largest.sign();
  return {mean.view({side, side}), directions.view({count, side, side}),
          variances.flip({0}).narrow(/*dim=*/0, 0, count).clamp_min(0).sqrt()};
}

}  // namespace roundtrip

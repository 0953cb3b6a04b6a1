#include "roundtrip/nn/patch_pca.h"

#include <gtest/gtest.h>
#include <torch/types.h>

#include "roundtrip/nn/init.h"

namespace roundtrip {
namespace {

// Patches a u + b v around m with orthonormal u, v: the components are u and v again.
TEST(PatchComponents, FindTheDirectionsThePatchesWereMadeOf) {
  const torch::Tensor u = torch::tensor({0.8, 0.6, 0.0, 0.0}, torch::kFloat64).view({2, 2});
  const torch::Tensor v = torch::tensor({0.0, 0.0, -0.6, 0.8}, torch::kFloat64).view({2, 2});
  const torch::Tensor m = torch::tensor({1.0, 2.0, 3.0, 4.0}, torch::kFloat64).view({2, 2});
  const torch::Tensor a = torch::tensor({3.0, -3.0, 3.0, -3.0}, torch::kFloat64);
  const torch::Tensor b = torch::tensor({1.0, 1.0, -1.0, -1.0}, torch::kFloat64);
  std::vector<torch::Tensor> patches;
  for (int64_t i = 0; i < 4; ++i) patches.push_back(m + a[i] * u + b[i] * v);
  const torch::Tensor image = torch::cat(
      {torch::cat({patches[0], patches[1]}, 1), torch::cat({patches[2], patches[3]}, 1)});
  const PatchComponents found = patch_components(image.unsqueeze(0), 2, 2);
  EXPECT_TRUE(torch::allclose(found.mean, m));
  EXPECT_TRUE(torch::allclose(found.directions[0], u));
  EXPECT_TRUE(torch::allclose(found.directions[1], v));
  EXPECT_TRUE(torch::allclose(found.deviations, torch::tensor({3.0, 1.0}, torch::kFloat64)));
}

TEST(PatchComponents, AreOrthonormalAndOrdered) {
  const PatchComponents found = patch_components(keyed_normal({9, 8, 12}, 1, "images"), 4, 16);
  const torch::Tensor rows = found.directions.view({16, 16});
  EXPECT_TRUE(torch::allclose(rows.mm(rows.t()), torch::eye(16, torch::kFloat64), 0, 1e-12));
  EXPECT_TRUE(
      (found.deviations.slice(0, 1) <= found.deviations.slice(0, 0, 15)).all().item<bool>());
}

}  // namespace
}  // namespace roundtrip

#include "roundtrip/trust/certificate.h"

#include <cmath>

#include <gtest/gtest.h>

#include "roundtrip/nn/init.h"
#include "roundtrip/rollout/diffusion_stepper.h"
#include "roundtrip/trust/measure.h"
#include "tests/support/dense.h"
#include "tests/support/linear_surrogate.h"
#include "tests/support/tiny_model.h"

namespace roundtrip {
namespace {

const LatentError kAllChannels({0, 1, 2, 3});

torch::Tensor walk(int64_t frames) {
  return keyed_normal({frames, 4, 1, 1}, 3, "walk").to(torch::kFloat64).cumsum(0);
}

// One context: the window map is the matrix itself, its constants the singular values.
TEST(Certificate, KnowsTheSingularValuesOfALinearStep) {
  const Eigen::MatrixXd B =
      make_linear_gaussian_model(4, {.slowest = 0.95, .fastest = 0.4, .non_normality = 0.6})
          .backward_map();
  const Eigen::VectorXd values = singular_values(B);
  const auto stepper = make_linear_stepper(Eigen::MatrixXd::Identity(4, 4), B, {4, 1, 1});
  const FrameWindows window = one_window(walk(1), walk(1)[0], /*target_index=*/3, /*direction=*/-1);
  // 400 iterations shrink other directions by (ratio of eigenvalues)^400; differences of a linear
  // map are exact to rounding over epsilon.
  const StepConstants exact = jacobian_constants(*stepper, window, 400, 1e-3, 1);
  EXPECT_NEAR(exact.L, values[0], 1e-8);
  EXPECT_NEAR(exact.mu, values[3], 1e-6);
  const StepConstants probed = probe_constants(*stepper, window, 50, 1e-3, 1);
  EXPECT_GE(probed.mu, exact.mu - 1e-9);
  EXPECT_LE(probed.L, exact.L + 1e-9);
}

// Two contexts: shift-append copies one frame and drops the other, which nothing passes on. A
// difference in the dropped frame alone vanishes: mu is 0, L the norm of [I; B] stacked.
TEST(Certificate, AFrameThatNobodyUsesHasNoLowerBound) {
  const Eigen::MatrixXd B = 0.5 * Eigen::MatrixXd::Identity(4, 4);
  const auto stepper =
      make_linear_stepper(Eigen::MatrixXd::Identity(4, 4), B, {4, 1, 1}, /*contexts=*/2);
  const FrameWindows window = one_window(walk(2), walk(2)[1], 3, -1);
  const StepConstants found = jacobian_constants(*stepper, window, 200, 1e-3, 1);
  EXPECT_NEAR(found.L, std::sqrt(1 + 0.25), 1e-8);
  EXPECT_NEAR(found.mu, 0, 1e-6);
}

TEST(Certificate, RowsAgreeWithTheMeterAndTheBoundsHold) {
  const LinearGaussianModel model =
      make_linear_gaussian_model(4, {.slowest = 0.95, .fastest = 0.7, .non_normality = 0.2});
  const Surrogate surrogate = linear_surrogate(model.forward_map(), model.backward_map(), 2);
  const torch::Tensor truth = walk(9);
  const std::vector<int64_t> depths = {1, 2, 5, 7};
  const Meter meter(surrogate, {.depths = depths, .signals = {"round_trip", "error", "residual"}});
  const auto table =
      meter.measure({{.latents = truth, .fields = {}, .initial_frames = 2, .first_index = 0}})
          .at(0);
  for (const LegAnchors anchors : {LegAnchors::shared, LegAnchors::own}) {
    const auto rows = certify(*surrogate.stepper, kAllChannels, truth, 2, depths, anchors);
    ASSERT_EQ(rows.size(), depths.size());
    for (size_t i = 0; i < rows.size(); ++i) {
      const CertificateRow& row = rows[i];
      EXPECT_NEAR(row.C, table[i][0], 1e-12);
      EXPECT_NEAR(row.E, table[i][3], 1e-12);             // E
      EXPECT_NEAR(row.window_error, table[i][4], 1e-12);  // E_pair
      EXPECT_NEAR(row.delta, table[i][5], 1e-12);
      const double rounding = 1e-12 * (1 + row.C);
      EXPECT_LE(row.lower, row.C + rounding);
      EXPECT_GE(row.upper, row.C - rounding);
      EXPECT_GE(row.bound, row.E - rounding);
      EXPECT_LE(std::pow(row.mu, row.depth), row.realised * (1 + 1e-12));
      EXPECT_GE(std::pow(row.L, row.depth), row.realised * (1 - 1e-12));
    }
  }
}

// Its steps lean on the anchor too: what tells one map from two.
class Anchored final : public Stepper {
 public:
  torch::Tensor step(const FrameWindows& inputs) override {
    return 0.8 * inputs.context.select(1, -1) + 0.3 * inputs.anchor;
  }
  int64_t contexts() const override { return 2; }
  FrameShape frame() const override { return {4, 1, 1}; }
  torch::ScalarType type() const override { return torch::kFloat64; }
};

TEST(Certificate, LegsWithTheirOwnAnchorsAreTheMetersAndWithOneAnchorOneMap) {
  const Surrogate surrogate = surrogate_of(std::make_shared<Anchored>());
  const torch::Tensor truth = walk(7);
  const std::vector<int64_t> depths = {2, 5};
  const Meter meter(surrogate, {.depths = depths, .signals = {"round_trip", "residual"}});
  const auto table =
      meter.measure({{.latents = truth, .fields = {}, .initial_frames = 2, .first_index = 0}})
          .at(0);
  const auto own = certify(*surrogate.stepper, kAllChannels, truth, 2, depths, LegAnchors::own);
  const auto one = certify(*surrogate.stepper, kAllChannels, truth, 2, depths, LegAnchors::shared);
  for (size_t i = 0; i < depths.size(); ++i) {
    EXPECT_NEAR(own[i].C, table[i][0], 1e-12);
    EXPECT_GT(std::abs(one[i].C - own[i].C), 1e-3 * own[i].C);
    EXPECT_NEAR(one[i].delta, own[i].delta, 1e-12);  // the true leg is the same
    EXPECT_LE(one[i].lower, one[i].C * (1 + 1e-12));
    EXPECT_GE(one[i].upper, one[i].C * (1 - 1e-12));
  }
}

// u . (J v) = (J^T u) . v, with J v by differences and J^T u by gradients through the sampler.
TEST(Certificate, GradientsOfANetworkAreItsDifferences) {
  Model model = tiny_model();
  model.predictor->denoiser().to(torch::kFloat64);
  const auto stepper = make_diffusion_stepper(model, sampling_of(model.metadata));
  const auto draw = [](std::vector<int64_t> sizes, const char* purpose) {
    return keyed_normal(sizes, 9, purpose).to(torch::kFloat64);
  };
  const torch::Tensor context = draw({1, 2, 2, 8, 8}, "context"), v = draw({1, 2, 2, 8, 8}, "v");
  const torch::Tensor anchor = draw({1, 2, 8, 8}, "anchor"), u = draw({1, 2, 8, 8}, "u");
  const torch::Tensor index = torch::tensor({4}), back = torch::tensor({-1});
  const double epsilon = 1e-5;
  const torch::Tensor change = (stepper->step({context + epsilon * v, anchor, index, back}) -
                                stepper->step({context - epsilon * v, anchor, index, back})) /
                               (2 * epsilon);
  const double forward = (u * change).sum().item<double>();
  const double reverse = (stepper->vjp({context, anchor, index, back}, u) * v).sum().item<double>();
  // Central differences of a smooth map in double precision: about epsilon^2.
  EXPECT_NEAR(forward, reverse, 1e-6 * std::abs(forward));
}

}  // namespace
}  // namespace roundtrip

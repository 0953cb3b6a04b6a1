// The sandwich and the certificate (requirement: never violated with realised constants), on random
// nonlinear maps of windows.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "roundtrip/base/random.h"
#include "roundtrip/nn/init.h"
#include "roundtrip/trust/measure.h"
#include "tests/support/linear_surrogate.h"

namespace roundtrip {
namespace {

constexpr int64_t kSize = 4;
constexpr int64_t kDepth = 8;

// f(a, b) = nearest mixed by an orthogonal matrix, plus a bounded nonlinear part of both frames.
// Its inverse direction is another such map: two separately "learned" behaviours.
class RandomMaps final : public Stepper {
 public:
  explicit RandomMaps(uint64_t seed) {
    for (const int64_t side : {0, 1}) {
      const auto draw = [&](const char* purpose) {
        return keyed_normal({kSize, kSize}, seed, purpose, static_cast<uint64_t>(side))
            .to(torch::kFloat64);
      };
      mixing_[side] = std::get<0>(torch::linalg_qr(draw("mixing")));
      bend_[side] = draw("bend") * 0.2;
      far_[side] = draw("far") * 0.1;
    }
    // Roughly undo each other, so that round trips come near the seed frames.
    mixing_[1] = mixing_[0].t() * 0.97;
  }

  torch::Tensor step(const FrameWindows& inputs) override {
    const torch::Tensor near = inputs.context.select(1, 1).flatten(1);
    const torch::Tensor far = inputs.context.select(1, 0).flatten(1);
    const auto map = [&](int64_t side) {
      return near.mm(mixing_[side].t()) + torch::tanh(near.mm(bend_[side].t())) * 0.2 +
             torch::sin(far.mm(far_[side].t())) * 0.3;
    };
    return torch::where((inputs.direction > 0).view({-1, 1}), map(0), map(1))
        .view_as(inputs.anchor);
  }
  int64_t contexts() const override { return 2; }
  FrameShape frame() const override { return {kSize, 1, 1}; }
  torch::ScalarType type() const override { return torch::kFloat64; }

  // The pair (older, newer) one step back, by the same function but outside the scheduler.
  torch::Tensor back(const torch::Tensor& pair) {
    const torch::Tensor context = pair.flip(0).unsqueeze(0);  // nearest last: the older
    const torch::Tensor older =
        step({context, context[0][0].unsqueeze(0), torch::tensor({0}), torch::tensor({-1})})[0];
    return torch::stack({older, pair[0]});
  }

 private:
  torch::Tensor mixing_[2], bend_[2], far_[2];
};

double rms(const torch::Tensor& pair) { return std::sqrt(pair.square().mean().item<double>()); }

TEST(Bounds, SandwichAndCertificateHoldWithRealisedConstants) {
  int64_t useful = 0;  // lower bounds that say something
  for (uint64_t seed = 0; seed < 40; ++seed) {
    const auto maps = std::make_shared<RandomMaps>(seed);
    // The truth comes from the end by the backward map, every other time a little disturbed: the
    // way back is good (delta small), the way there is not.
    const double disturbed = seed % 2 == 0 ? 0 : 0.01;
    torch::Tensor truth =
        keyed_normal({2 + kDepth, kSize, 1, 1}, seed, "truth").to(torch::kFloat64);
    for (int64_t t = kDepth - 1; t >= 0; --t) {
      truth[t].mul_(disturbed).add_(maps->back(truth.narrow(0, t + 1, 2))[0]);
    }
    std::vector<int64_t> depths;
    for (int64_t i = 1; i <= kDepth; ++i) depths.push_back(i);
    const Meter meter(surrogate_of(maps),
                      {.depths = depths, .signals = {"round_trip", "error", "residual"}});
    const auto table =
        meter.measure({{.latents = truth, .fields = {}, .initial_frames = 2, .first_index = 0}})
            .at(0);
    const auto value = [&](int64_t depth, const char* name) {
      const auto at = std::find(meter.columns().begin(), meter.columns().end(), name);
      return table[depth - 1][at - meter.columns().begin()];
    };
    // The rollout again, by hand.
    torch::Tensor made = truth.clone();
    for (int64_t t = 2; t < made.size(0); ++t) {
      made[t].copy_(maps->step({made.narrow(0, t - 2, 2).unsqueeze(0), made[0].unsqueeze(0),
                                torch::tensor({t}), torch::tensor({1})})[0]);
    }
    for (const int64_t i : depths) {
      torch::Tensor u = truth.narrow(0, i, 2), v = made.narrow(0, i, 2);
      double mu = 1e300, L = 0;
      const double start = rms(u - v);
      for (int64_t k = 0; k < i; ++k) {
        const double before = rms(u - v);
        u = maps->back(u);
        v = maps->back(v);
        mu = std::min(mu, rms(u - v) / before);
        L = std::max(L, rms(u - v) / before);
        // The i-step lemma, at every step of the way.
        ASSERT_LE(std::pow(mu, k + 1) * start, rms(u - v) * (1 + 1e-12));
        ASSERT_GE(std::pow(L, k + 1) * start, rms(u - v) * (1 - 1e-12));
      }
      const double C = value(i, "C"), delta = value(i, "delta");
      const double pair = std::sqrt(value(i, "E_pair"));
      EXPECT_NEAR(pair, start, 1e-12);
      const double rounding = 1e-12;
      const double low = std::max(std::pow(mu, i) * pair - delta, 0.0);
      EXPECT_LE(low, std::sqrt(C) + rounding);
      EXPECT_LE(std::sqrt(C), std::pow(L, i) * pair + delta + rounding);
      EXPECT_LE(std::sqrt(value(i, "E")),
                std::sqrt(2.0) * std::pow(mu, -i) * (std::sqrt(C) + delta) + rounding);
      EXPECT_LE(value(i, "E"), 2 * value(i, "E_pair") * (1 + 1e-12));
      if (i == 1) {
        // Shift-append keeps the newer seed, so half of C is exact; and E = 2 E_pair.
        EXPECT_DOUBLE_EQ(value(i, "C_regenerated"), 2 * C);
        EXPECT_DOUBLE_EQ(value(i, "E"), 2 * value(i, "E_pair"));
      }
      useful += low > 0;
    }
  }
  EXPECT_GT(useful, 40 * kDepth / 2);
}

}  // namespace
}  // namespace roundtrip

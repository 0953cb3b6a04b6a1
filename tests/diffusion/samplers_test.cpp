// What every row of the list must keep.
#include "roundtrip/diffusion/samplers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/types.h>

#include "roundtrip/nn/init.h"
#include "tests/diffusion/gaussian_law.h"
#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

using testing::HasSubstr;

class SamplersTest : public testing::TestWithParam<SamplerEntry> {
 protected:
  const NoiseSchedule schedule_{200};
  const std::unique_ptr<Sampler> sampler_ =
      make_sampler({.name = std::string(GetParam().name)}, schedule_);
  const torch::Tensor start_ = keyed_normal({6, 2, 3, 4}, 1, "start");

  // A denoiser that is not linear and mixes the cells of a frame, as a network does.
  DenoisedEstimate denoise(const torch::Tensor& noised, int64_t k) const {
    const torch::Tensor output = torch::tanh(noised.flip(-1) + noised.roll(1, -2));
    const torch::Tensor steps = torch::full({noised.size(0)}, k, torch::kInt64);
    return estimate(Prediction::v, output, noised, schedule_.alpha_bars(steps, noised.dim()));
  }

  torch::Tensor sample(int64_t first, int64_t count, uint64_t seed = 1) const {
    const StepNoise noise = [=](int64_t call) {
      return keyed_normal({6, 2, 3, 4}, seed, "step", static_cast<uint64_t>(call))
          .narrow(0, first, count);
    };
    return sampler_->sample([this](const torch::Tensor& x, int64_t k) { return denoise(x, k); },
                            start_.narrow(0, first, count), noise);
  }
};

TEST_P(SamplersTest, TheSameNoiseGivesTheSameBits) {
  EXPECT_TRUE(torch::equal(sample(0, 6), sample(0, 6)));
}

TEST_P(SamplersTest, OtherNoiseMattersToThoseThatDrawIt) {
  EXPECT_EQ(torch::equal(sample(0, 6, 1), sample(0, 6, 2)), !sampler_->draws_noise());
}

// All operations are per element here, so the batch may not even change the rounding beyond the
// tails of vector loops: two of tanh's last bits, which 25 calls grow by less than 1000.
TEST_P(SamplersTest, RowsOfABatchDoNotSeeEachOther) {
  const torch::Tensor together = sample(0, 6);
  for (int64_t row = 0; row < 6; ++row) {
    const torch::Tensor alone = sample(row, 1);
    EXPECT_LT((alone - together.narrow(0, row, 1)).abs().max().item<float>(), 1e-4f);
  }
}

TEST_P(SamplersTest, OneSampleKeepsShapeAndType) {
  const torch::Tensor one = sample(0, 1);
  EXPECT_EQ(one.sizes(), (std::vector<int64_t>{1, 2, 3, 4}));
  EXPECT_EQ(one.scalar_type(), torch::kFloat32);
}

TEST_P(SamplersTest, CallsTheDenoiserAsOftenAsConfigured) {
  for (const int64_t steps : {1, 2, 10, 200}) {
    const SamplerConfig config{
        .name = std::string(GetParam().name), .steps = steps, .spacing = "trailing"};
    std::vector<int64_t> visited;
    make_sampler(config, schedule_)
        ->sample(
            [&](const torch::Tensor& x, int64_t k) {
              visited.push_back(k);
              return denoise(x, k);
            },
            start_, [&](int64_t) { return torch::zeros_like(start_); });
    EXPECT_EQ(static_cast<int64_t>(visited.size()), steps);
    EXPECT_EQ(visited.front(), 199);
  }
}

// The frame a perfect denoiser knows is what comes out, whatever the noise.
TEST_P(SamplersTest, ACertainFrameIsReached) {
  const GaussianLaw law{torch::full({1}, 2.5, torch::kFloat64), torch::zeros({1}, torch::kFloat64)};
  const torch::Tensor start = start_.to(torch::kFloat64);
  for (const PredictionEntry& row : predictions()) {
    const torch::Tensor frame = sampler_->sample(law.denoiser(row.value, schedule_), start,
                                                 [&](int64_t) { return torch::ones_like(start); });
    EXPECT_LT((frame - 2.5).abs().max().item<double>(), 1e-12) << row.name;
  }
}

INSTANTIATE_TEST_SUITE_P(All, SamplersTest, testing::ValuesIn(samplers()),
                         [](const auto& sampler) { return std::string(sampler.param.name); });

TEST(SamplerConfig, IsReadFromSettings) {
  SamplerConfig config;
  Settings settings("config");
  bind(config, settings);
  settings.read_toml("[sampler]\nname = 'ancestral'\nsteps = 50\n");
  settings.read_override("sampler.spacing=trailing");
  EXPECT_EQ(config.name, "ancestral");
  EXPECT_EQ(config.steps, 50);
  EXPECT_EQ(config.spacing, "trailing");
  EXPECT_THAT(error_of([&] { settings.read_override("sampler.name=dim"); }),
              HasSubstr("expected one of ddim, ancestral, found dim"));
  EXPECT_THAT(error_of([&] { settings.read_override("sampler.stpes=4"); }),
              HasSubstr("did you mean sampler.steps?"));
}

TEST(SamplerConfig, UnknownNamesListTheKnownOnes) {
  const NoiseSchedule schedule(200);
  EXPECT_THAT(error_of([&] { make_sampler({.name = "dim"}, schedule); }), HasSubstr("ddim"));
  EXPECT_THAT(error_of([&] { make_sampler({.spacing = "linear"}, schedule); }),
              HasSubstr("leading"));
}

}  // namespace
}  // namespace roundtrip

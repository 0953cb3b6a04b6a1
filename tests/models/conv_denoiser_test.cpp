#include "roundtrip/models/conv_denoiser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/types.h>
#include <torch/utils.h>

#include "roundtrip/nn/module_file.h"
#include "tests/support/error_of.h"
#include "tests/support/finite_difference.h"

namespace roundtrip::conv_denoiser_test {
namespace {

using ::testing::HasSubstr;
using Tensors = std::vector<torch::Tensor>;

constexpr FrameBoundaries kPeriodic = {Boundary::periodic, Boundary::periodic};
constexpr FrameBoundaries kOpen = {Boundary::open, Boundary::open};

DenoiserConfig small(std::vector<int64_t> channels = {6}) {
  return {.network = "conv",
          .contexts = 2,
          .condition_width = 5,
          .frequencies = 8,
          .channels = std::move(channels),
          .blocks = 2,
          .dilations = {1, 2}};
}

std::shared_ptr<Denoiser> filled(const DenoiserConfig& config, const LatentGrid& grid) {
  const auto network = make_denoiser(config, grid, 0);
  network->to(torch::kFloat64);
  fill_by_wave(*network, 0.2);
  return network;
}

// noised, context, anchor, k, t, direction
Tensors inputs(const FrameShape& latent, int64_t batch = 2) {
  const auto [channels, height, width] = latent;
  const torch::Tensor row = torch::arange(batch);
  return {wave({batch, channels, height, width}, 0.1, torch::kFloat64),
          wave({batch, 2, channels, height, width}, 0.2, torch::kFloat64),
          wave({batch, channels, height, width}, 0.3, torch::kFloat64),
          7 + 100 * row,
          3 + row,
          1 - 2 * row.remainder(2)};
}

torch::Tensor call(const std::shared_ptr<Denoiser>& network, const Tensors& s) {
  return network->forward(s[0], s[1], s[2], s[3], s[4], s[5]);
}

Tensors rolled(const Tensors& s, int64_t rows, int64_t columns) {
  Tensors moved = s;
  for (size_t i = 0; i < 3; ++i) moved[i] = s[i].roll({rows, columns}, {-2, -1});
  return moved;
}

// On a torus no place is special: moving all frames moves the answer. A U-Net moves by whole cells
// of its coarsest grid.
TEST(ConvDenoiser, MovesWithItsFramesOnATorus) {
  const FrameShape latent{3, 8, 12};
  for (const auto& [channels, shift] :
       std::vector<std::pair<std::vector<int64_t>, int64_t>>{{{6}, 1}, {{6, 4}, 2}}) {
    const auto network = filled(small(channels), {latent, kPeriodic});
    const Tensors given = inputs(latent);
    const torch::Tensor moved = call(network, rolled(given, shift, 3 * shift));
    const torch::Tensor expected = call(network, given).roll({shift, 3 * shift}, {-2, -1});
    EXPECT_LT(relative_difference(moved, expected), 1e-12);
    // Open ends are special places.
    const auto open = filled(small(channels), {latent, kOpen});
    EXPECT_GT(relative_difference(call(open, rolled(given, shift, 3 * shift)),
                                  call(open, given).roll({shift, 3 * shift}, {-2, -1})),
              1e-3);
  }
}

// With coordinates places differ, and a seam would show: across it the answer to equal frames must
// be as smooth as elsewhere.
TEST(ConvDenoiser, CoordinatesTellPlacesApartWithoutASeam) {
  const FrameShape latent{1, 16, 16};
  DenoiserConfig config = small();
  config.coordinates = true;
  const auto largest_jump = [&](const FrameBoundaries& boundary) {
    Tensors given = inputs(latent, 1);
    for (size_t i = 0; i < 3; ++i) given[i] = torch::zeros_like(given[i]);
    config.padding = "circular";  // the padding alone shall not make the seam
    const torch::Tensor made = call(filled(config, {latent, boundary}), given)[0][0];
    EXPECT_GT((made - made.mean()).abs().max().item<double>(), 1e-3);
    const torch::Tensor jump = (made - made.roll(1, 0)).abs().amax(1);
    return std::pair(jump[0].item<double>(), jump.slice(0, 8, 10).max().item<double>());
  };
  const auto [seam, inside] = largest_jump(kPeriodic);
  EXPECT_LT(seam, 2 * inside);
  const auto [edge, middle] = largest_jump(kOpen);
  EXPECT_GT(edge, 2 * middle);
}

// Two blocks of two convolutions, dilated by 1 and 2, between stem and last: 2 + 2 + 4 cells.
TEST(ConvDenoiser, SeesAsFarAsItsConvolutionsReach) {
  const FrameShape latent{2, 20, 20};
  const auto network = filled(small(), {latent, kOpen});
  const Tensors given = inputs(latent, 1);
  Tensors changed = given;
  changed[1] = given[1].clone();
  changed[1].select(-2, 10).select(-1, 10).add_(1);
  const torch::Tensor difference =
      (call(network, changed) - call(network, given)).abs().amax({0, 1});
  const int64_t reach = 8;
  for (int64_t r = 0; r < 20; ++r) {
    for (int64_t c = 0; c < 20; ++c) {
      const int64_t distance = std::max(std::abs(r - 10), std::abs(c - 10));
      const double found = difference[r][c].item<double>();
      if (distance > reach) EXPECT_EQ(found, 0) << r << " " << c;
      if (distance <= 1) EXPECT_GT(found, 1e-4) << r << " " << c;
    }
  }
  EXPECT_GT(difference[10 + reach][10].item<double>(), 0);
}

TEST(ConvDenoiser, EveryInputMattersThatIsAskedFor) {
  const FrameShape latent{3, 8, 8};
  for (const bool asked : {true, false}) {
    DenoiserConfig config = small();
    config.anchor = config.time_index = asked;
    const auto network = filled(config, {latent, kPeriodic});
    const Tensors given = inputs(latent);
    const torch::Tensor before = call(network, given);
    const auto change = [&](size_t i, const torch::Tensor& value) {
      Tensors changed = given;
      changed[i] = value;
      return relative_difference(call(network, changed), before);
    };
    EXPECT_GT(change(0, given[0].flip(3)), 1e-3);
    EXPECT_GT(change(1, given[1].flip(1)), 1e-3) << "order of contexts";
    // Conditions act through small weights here; what has no effect gives exactly zero.
    EXPECT_GT(change(3, given[3] + 1), 1e-7);
    EXPECT_GT(change(5, -given[5]), 1e-7);
    for (const double found : {change(2, given[2] + 1), change(4, given[4] + 1)}) {
      if (asked) EXPECT_GT(found, 1e-7);
      if (!asked) EXPECT_EQ(found, 0);
    }
  }
}

TEST(ConvDenoiser, GradientsAreDifferences) {
  const FrameShape latent{2, 4, 4};
  DenoiserConfig config = small({3, 2});
  config.blocks = 1;
  const auto network = filled(config, {latent, {Boundary::periodic, Boundary::wall}});
  const Tensors given = inputs(latent);
  expect_gradients(
      [&](const Tensors& s) {
        return network->forward(s[0], s[1], s[2], given[3], given[4], given[5]);
      },
      with_parameters({given[0], given[1], given[2]}, *network), /*stride=*/7);
}

TEST(ConvDenoiser, RowsOfABatchAreIndependent) {
  const FrameShape latent{2, 6, 7};  // odd sides fit one resolution
  const auto network = filled(small(), {latent, kPeriodic});
  const Tensors given = inputs(latent, 5);
  const torch::Tensor together = call(network, given);
  for (int64_t row = 0; row < 5; ++row) {
    Tensors one;
    for (const torch::Tensor& tensor : given) one.push_back(tensor.slice(0, row, row + 1));
    // Sums of another batch may run in another order.
    EXPECT_LT(relative_difference(call(network, one), together.slice(0, row, row + 1)), 1e-12);
  }
}

TEST(ConvDenoiser, InitialWeightsAreASeedsAlone) {
  const LatentGrid grid{{2, 8, 8}, kPeriodic};
  torch::manual_seed(1);
  const auto first = named_tensors(*make_denoiser(small({4, 4}), grid, 3));
  torch::manual_seed(2);
  const auto second = named_tensors(*make_denoiser(small({4, 4}), grid, 3));
  const auto other = named_tensors(*make_denoiser(small({4, 4}), grid, 4));
  for (const auto& [name, tensor] : first) {
    EXPECT_TRUE(torch::equal(tensor, second.at(name))) << name;
  }
  EXPECT_FALSE(torch::equal(first.at("stem.weight"), other.at("stem.weight")));
}

TEST(ConvDenoiser, WhatDoesNotFitIsOneLine) {
  const auto refusal = [](const DenoiserConfig& config, const LatentGrid& grid) {
    return error_of([&] { make_denoiser(config, grid, 0); });
  };
  EXPECT_THAT(refusal(small({4, 4, 4}), {{2, 8, 6}, kPeriodic}),
              HasSubstr("[denoiser] channels: 3 resolutions need a grid whose sides are multiples "
                        "of 4, found 8 x 6; use fewer"));
  DenoiserConfig wide = small();
  wide.dilations = {1, 9};
  EXPECT_THAT(refusal(wide, {{2, 8, 8}, kPeriodic}),
              HasSubstr("dilations: expected at most the smallest grid 8 x 8, found 9"));
  EXPECT_EQ(refusal(wide, {{2, 8, 8}, kOpen}), "no error");
  const FrameBoundaries mixed = {Boundary::open, Boundary::mixed};
  EXPECT_THAT(refusal(small(), {{2, 8, 8}, mixed}),
              HasSubstr("periodic in part only has no padding; name one of circular, replicate, "
                        "zeros as denoiser.padding"));
  DenoiserConfig named = small();
  named.padding = "zeros";
  EXPECT_EQ(refusal(named, {{2, 8, 8}, mixed}), "no error");
}

// 9 products a tap and pair of channels: stem (2 + 2 * 2 + 2 frames' channels), four convolutions
// of blocks, last; per cell.
TEST(ConvDenoiser, CountsItsConvolutions) {
  const DenoiserConfig config = small();
  EXPECT_EQ(conv_denoiser_flops(config, {2, 4, 4}), 2.0 * 16 * 9 * (8 * 6 + 4 * 6 * 6 + 6 * 2));
}

}  // namespace
}  // namespace roundtrip::conv_denoiser_test

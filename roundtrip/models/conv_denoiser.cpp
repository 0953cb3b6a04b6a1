// A step of a partial differential equation is local: what a cell becomes depends on cells that
// waves reach within one frame. Convolutions know that from the start; a transformer over patches
// has to learn it. FiLM: Perez et al. 2018. U-Net: Ronneberger, Fischer & Brox 2015.
#include "roundtrip/models/conv_denoiser.h"

#include <algorithm>
#include <numbers>
#include <optional>

#include <fmt/format.h>
#include <torch/nn/modules/container/modulelist.h>
#include <torch/types.h>
#include <torch/utils.h>

#include "roundtrip/base/error.h"
#include "roundtrip/models/step_condition.h"
#include "roundtrip/nn/conditioned_block.h"
#include "roundtrip/nn/init.h"
#include "roundtrip/nn/padded_convolution.h"

namespace roundtrip {
namespace {

[[noreturn]] void refuse_convolution(const std::string& what) { throw Error("denoiser", what); }

// Of a periodic axis sine and cosine, which have no seam; of another one a ramp from -1 to 1.
std::vector<torch::Tensor> axis_coordinates(Boundary boundary, int64_t cells) {
  const torch::Tensor centre = (torch::arange(cells, torch::kFloat64) + 0.5) / cells;
  if (boundary != Boundary::periodic) return {2 * centre - 1};
  return {(2 * std::numbers::pi * centre).sin(), (2 * std::numbers::pi * centre).cos()};
}

// (channels, h, w)
torch::Tensor coordinates_of(const LatentGrid& grid) {
  const int64_t height = grid.shape.height, width = grid.shape.width;
  std::vector<torch::Tensor> channels;
  for (const torch::Tensor& rows : axis_coordinates(grid.boundary[0], height)) {
    channels.push_back(rows.unsqueeze(1).expand({height, width}));
  }
  for (const torch::Tensor& columns : axis_coordinates(grid.boundary[1], width)) {
    channels.push_back(columns.unsqueeze(0).expand({height, width}));
  }
  return torch::stack(channels);
}

int64_t frame_channels(const DenoiserConfig& config, const FrameShape& latent) {
  return (1 + config.contexts + (config.anchor ? 1 : 0)) * latent.channels;
}

Padding padding_for(Boundary boundary) {
  if (boundary == Boundary::mixed) {
    refuse_convolution(
        "padding: an axis that is periodic in part only has no padding; name one of circular, "
        "replicate, zeros as denoiser.padding");
  }
  return boundary == Boundary::periodic ? Padding::circular : Padding::replicate;
}

AxisPadding padding_of(const DenoiserConfig& config, const LatentGrid& grid) {
  if (config.padding == "data") {
    return {padding_for(grid.boundary[0]), padding_for(grid.boundary[1])};
  }
  const Padding same = find_entry(paddings(), "denoiser.padding", config.padding).value;
  return {same, same};
}

/// The blocks of one resolution, in turn dilated.
class BlocksImpl : public torch::nn::Module {
 public:
  BlocksImpl(const DenoiserConfig& config, int64_t channels, const AxisPadding& padding) {
    for (int64_t i = 0; i < config.blocks; ++i) {
      const auto turn = static_cast<size_t>(i) % config.dilations.size();
      blocks_.push_back(register_module(std::to_string(i), ConditionedBlock(ConditionedBlockOptions{
                                                               channels, config.condition_width,
                                                               config.dilations[turn], padding})));
    }
  }

  torch::Tensor forward(torch::Tensor x, const torch::Tensor& condition) {
    for (ConditionedBlock& block : blocks_) x = block(x, condition);
    return x;
  }

  void initialise_as_identity() {
    for (ConditionedBlock& block : blocks_) block->initialise_as_identity();
  }

 private:
  std::vector<ConditionedBlock> blocks_;
};
TORCH_MODULE(Blocks);

class ConvDenoiser final : public Denoiser {
 public:
  ConvDenoiser(const DenoiserConfig& config, const LatentGrid& grid, uint64_t seed)
      : config_(config), latent_(grid.shape) {
    const AxisPadding padding = padding_of(config, grid);
    const std::vector<int64_t>& channels = config.channels;
    int64_t seen = frame_channels(config, latent_);
    if (config.coordinates) {
      coordinates_ = coordinates_of(grid);
      seen += coordinates_.size(0);
    }
    condition_.emplace(*this, config.frequencies, config.condition_width, config.time_index);
    stem_ = register_module("stem", PaddedConvolution(PaddedConvolutionOptions{
                                        seen, channels[0], /*dilation=*/1, padding}));
    for (size_t i = 0; i < channels.size(); ++i) {
      down_blocks_.push_back(
          register_module(fmt::format("down_{}", i), Blocks(config, channels[i], padding)));
      if (i + 1 == channels.size()) break;
      pools_.push_back(register_module(fmt::format("pool_{}", i),
                                       PatchMerge(channels[i], channels[i + 1])));
      unpools_.push_back(
          register_module(fmt::format("unpool_{}", i), PatchSplit(channels[i + 1], channels[i])));
      up_blocks_.push_back(
          register_module(fmt::format("up_{}", i), Blocks(config, channels[i], padding)));
    }
    out_ = register_module("out",
                           PaddedConvolution(PaddedConvolutionOptions{channels[0], latent_.channels,
                                                                      /*dilation=*/1, padding}));
    initialise_weights(seed);
  }

  torch::Tensor forward(const torch::Tensor& noised, const torch::Tensor& context,
                        const torch::Tensor& anchor, const torch::Tensor& k, const torch::Tensor& t,
                        const torch::Tensor& direction) override {
    const torch::Tensor condition = (*condition_)(k, t, direction);
    torch::Tensor x = stem_(stacked(noised, context, anchor));
    std::vector<torch::Tensor> skips;
    for (size_t i = 0; i < down_blocks_.size(); ++i) {
      x = down_blocks_[i](x, condition);
      if (i == pools_.size()) break;
      skips.push_back(x);
      x = pools_[i](x);
    }
    for (size_t i = pools_.size(); i-- > 0;) {
      x = up_blocks_[i](skips[i] + unpools_[i](x), condition);
    }
    return out_(torch::silu(x)).contiguous();
  }

  int64_t contexts() const override { return config_.contexts; }

 private:
  // All frames as channels, (B, channels, h, w). Channels last: convolutions are then 1.3-1.9 times
  // faster on the processor.
  torch::Tensor stacked(const torch::Tensor& noised, const torch::Tensor& context,
                        const torch::Tensor& anchor) const {
    const int64_t batch = noised.size(0);
    ensure(noised.sizes() == torch::IntArrayRef(latent_.sizes({batch})) && context.dim() == 5 &&
               context.size(1) == config_.contexts &&
               context.select(1, 0).sizes() == noised.sizes(),
           "frames of the shape the denoiser was built for");
    std::vector<torch::Tensor> frames = {noised, context.flatten(1, 2)};
    if (config_.anchor) frames.push_back(anchor);
    if (coordinates_.defined()) {
      const torch::Tensor coordinates = coordinates_.to(noised.options());
      frames.push_back(coordinates.unsqueeze(0).expand({batch, -1, -1, -1}));
    }
    return torch::cat(frames, /*dim=*/1).contiguous(torch::MemoryFormat::ChannelsLast);
  }

  void initialise_weights(uint64_t seed) {
    const torch::NoGradGuard no_grad;
    initialise(*this, seed);
    // The two directions are different maps from the first step on.
    condition_->initialise_directions(seed, /*scale=*/1);
    for (Blocks& blocks : down_blocks_) blocks->initialise_as_identity();
    for (Blocks& blocks : up_blocks_) blocks->initialise_as_identity();
    out_->initialise_as_zero();
  }

  DenoiserConfig config_;
  FrameShape latent_;
  torch::Tensor coordinates_;  // (channels, h, w); undefined where the network does not see them
  std::optional<StepCondition> condition_;
  PaddedConvolution stem_{nullptr}, out_{nullptr};
  std::vector<Blocks> down_blocks_, up_blocks_;
  std::vector<PatchMerge> pools_;
  std::vector<PatchSplit> unpools_;
};

}  // namespace

void check_conv_denoiser(const DenoiserConfig& config, const LatentGrid& grid) {
  const FrameShape& latent = grid.shape;
  if (config.channels.empty() || config.dilations.empty()) {
    refuse_convolution("channels, dilations: expected at least one number each, found none");
  }
  if (config.frequencies % 2 != 0) {
    refuse_convolution(fmt::format(
        "frequencies: expected an even number, found {}; 256 is the default", config.frequencies));
  }
  const auto resolutions = static_cast<int64_t>(config.channels.size());
  constexpr int64_t kMostResolutions = 16;
  if (resolutions > kMostResolutions) {
    refuse_convolution(fmt::format("channels: expected at most {} resolutions, found {}",
                                   kMostResolutions, resolutions));
  }
  const int64_t factor = int64_t{1} << (resolutions - 1);
  if (latent.height % factor != 0 || latent.width % factor != 0) {
    refuse_convolution(
        fmt::format("channels: {} resolutions need a grid whose sides are multiples of {}, "
                    "found {} x {}; use fewer (one always fits)",
                    resolutions, factor, latent.height, latent.width));
  }
  const AxisPadding padding = padding_of(config, grid);
  const int64_t widest = std::ranges::max(config.dilations);
  const auto too_small = [&](Padding kind, int64_t size) {
    return kind == Padding::circular && size / factor < widest;
  };
  if (too_small(padding.rows, latent.height) || too_small(padding.columns, latent.width)) {
    refuse_convolution(
        fmt::format("dilations: expected at most the smallest grid {} x {}, found {}; a "
                    "periodic axis cannot be wrapped around twice",
                    latent.height / factor, latent.width / factor, widest));
  }
}

std::shared_ptr<Denoiser> make_conv_denoiser(const DenoiserConfig& config, const LatentGrid& grid,
                                             uint64_t seed) {
  return std::make_shared<ConvDenoiser>(config, grid, seed);
}

double conv_denoiser_flops(const DenoiserConfig& config, const FrameShape& latent) {
  const auto at = [](int64_t n) { return static_cast<double>(n); };
  double cells = at(latent.height * latent.width);
  const std::vector<int64_t>& channels = config.channels;
  double products =
      9 * cells * at(channels[0]) * at(frame_channels(config, latent) + latent.channels);
  for (size_t i = 0; i < channels.size(); ++i) {
    const bool last = i + 1 == channels.size();
    const double blocks = at(config.blocks) * (last ? 1 : 2);
    products += blocks * 2 * 9 * cells * at(channels[i]) * at(channels[i]);
    if (!last) products += 2 * cells * at(channels[i]) * at(channels[i + 1]);
    cells /= 4;
  }
  return 2 * products;
}

}  // namespace roundtrip

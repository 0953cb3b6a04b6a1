#include "roundtrip/models/denoiser.h"

#include "roundtrip/models/conv_denoiser.h"
#include "roundtrip/models/diffusion_transformer.h"
#include "roundtrip/nn/padding.h"

namespace roundtrip {
namespace {

void check_dit(const DenoiserConfig& config, const LatentGrid& grid) {
  check_transformer(config, grid.shape);
}

std::shared_ptr<Denoiser> make_dit(const DenoiserConfig& config, const LatentGrid& grid,
                                   uint64_t seed) {
  return make_diffusion_transformer(config, grid.shape, seed);
}

std::vector<std::string> padding_names() {
  std::vector<std::string> names = {"data"};
  for (const std::string& name : names_of(paddings())) names.push_back(name);
  return names;
}

void bind_transformer(DenoiserConfig& config, Settings& settings) {
  settings.add("denoiser.width", config.width, "features of a token (dit)").at_least(1);
  settings.add("denoiser.layers", config.layers, "transformer blocks (dit)")
      .at_least(1)
      .formerly("denoiser.depth");
  settings.add("denoiser.heads", config.heads, "attention heads (dit)").at_least(1);
  settings.add("denoiser.patch", config.patch, "side of a patch of the latent frame (dit)")
      .at_least(1);
  settings.add("denoiser.mlp_ratio", config.mlp_ratio, "hidden width of the MLP, in widths (dit)")
      .at_least(1);
  settings.add("denoiser.qk_norm", config.qk_norm, "normalise queries and keys per head (dit)");
  settings.add("denoiser.context", config.context, "how it sees contexts and anchor (dit)")
      .one_of(names_of(context_modes()));
  settings.add("denoiser.positions", config.positions, "initial positional embedding (dit)")
      .one_of(names_of(position_inits()));
  settings.add("denoiser.checkpoint_activations", config.checkpoint_activations,
               "compute blocks again for the gradient: less memory (dit)");
}

void bind_convolution(DenoiserConfig& config, Settings& settings) {
  settings
      .add("denoiser.channels", config.channels,
           "channels of each resolution, finest first; every further one halves the grid (conv)")
      .at_least(1);
  settings.add("denoiser.blocks", config.blocks, "residual blocks per resolution and side (conv)")
      .at_least(1);
  settings.add("denoiser.dilations", config.dilations, "of the blocks, in turn (conv)").at_least(1);
  settings.add("denoiser.anchor", config.anchor, "the network sees the anchor frame (conv)");
  settings.add("denoiser.coordinates", config.coordinates,
               "the network sees where a cell lies, for laws that depend on it (conv)");
  settings
      .add("denoiser.padding", config.padding,
           "what lies beyond the edges: by the data's boundary conditions, or as named (conv)")
      .one_of(padding_names());
}

}  // namespace

void bind(DenoiserConfig& config, Settings& settings) {
  settings.add("denoiser.network", config.network, "what predicts the next frame")
      .one_of(names_of(denoiser_networks()));
  settings.add("denoiser.contexts", config.contexts, "frames of the context window").at_least(1);
  settings.add("denoiser.condition_width", config.condition_width, "features of the condition")
      .at_least(1);
  settings.add("denoiser.frequencies", config.frequencies, "sinusoidal features of k and of t")
      .at_least(2);
  settings.add("denoiser.time_index", config.time_index,
               "the network sees the index of the target frame");
  bind_transformer(config, settings);
  bind_convolution(config, settings);
}

const Catalog<ChoiceRow<ContextMode>>& context_modes() {
  static const Catalog<ChoiceRow<ContextMode>> rows = {
      {"tokens", "every frame its own tokens in one sequence (the paper's)", ContextMode::tokens},
      {"channels", "the patches of all frames at one location stacked into one token",
       ContextMode::channels},
  };
  return rows;
}

const Catalog<ChoiceRow<PositionInit>>& position_inits() {
  static const Catalog<ChoiceRow<PositionInit>> rows = {
      {"random", "0.02 N(0, 1) (the paper's)", PositionInit::random},
      {"sinusoidal", "sinusoids of row and column, the same for every frame",
       PositionInit::sinusoidal},
  };
  return rows;
}

const Catalog<DenoiserNetworkRow>& denoiser_networks() {
  static const Catalog<DenoiserNetworkRow> rows = {
      {"dit", "a diffusion transformer over patches of the window (the paper's)", check_dit,
       make_dit},
      {"conv", "a residual convolutional network, a U-Net with several resolutions",
       check_conv_denoiser, make_conv_denoiser},
  };
  return rows;
}

void check_denoiser(const DenoiserConfig& config, const LatentGrid& grid) {
  find_row(denoiser_networks(), "denoiser.network", config.network).check(config, grid);
}

std::shared_ptr<Denoiser> make_denoiser(const DenoiserConfig& config, const LatentGrid& grid,
                                        uint64_t seed) {
  const auto& row = find_row(denoiser_networks(), "denoiser.network", config.network);
  row.check(config, grid);
  return row.make(config, grid, seed);
}

}  // namespace roundtrip

// A diffusion transformer over the frames of a short window. Peebles & Xie 2023, "Scalable
// diffusion models with transformers", with the window's frames as one sequence of tokens.
#include "roundtrip/models/diffusion_transformer.h"

#include <optional>

#include <fmt/format.h>
#include <torch/nn/modules/container/modulelist.h>
#include <torch/types.h>
#include <torch/utils.h>

#include "roundtrip/base/error.h"
#include "roundtrip/models/step_condition.h"
#include "roundtrip/nn/activation_checkpoint.h"
#include "roundtrip/nn/dense.h"
#include "roundtrip/nn/init.h"
#include "roundtrip/nn/modulation.h"
#include "roundtrip/nn/patches.h"
#include "roundtrip/nn/sinusoid.h"
#include "roundtrip/nn/transformer_block.h"

namespace roundtrip {
namespace {

// The settings with what they are for.
struct TransformerSizes : DenoiserConfig {
  TransformerSizes(const DenoiserConfig& config, const FrameShape& shape)
      : DenoiserConfig(config),
        latent(shape),
        mode(find_row(context_modes(), "denoiser.context", config.context).value),
        position_init(find_row(position_inits(), "denoiser.positions", config.positions).value) {}

  FrameShape latent;
  ContextMode mode;
  PositionInit position_init;
};

int64_t frames(const TransformerSizes& options) { return options.contexts + 2; }

// Patches of one frame.
int64_t patches_of(const TransformerSizes& options) {
  return options.latent.height * options.latent.width / (options.patch * options.patch);
}

// Numbers in one patch of one frame.
int64_t patch_size(const TransformerSizes& options) {
  return options.patch * options.patch * options.latent.channels;
}

// Numbers a token is made from.
int64_t token_inputs(const TransformerSizes& options) {
  return patch_size(options) * (options.mode == ContextMode::channels ? frames(options) : 1);
}

// Tokens of one sequence.
int64_t tokens_of(const TransformerSizes& options) {
  return patches_of(options) * (options.mode == ContextMode::tokens ? frames(options) : 1);
}

[[noreturn]] void refuse(const std::string& what) { throw Error("denoiser", what); }

TransformerBlockImpl& block(torch::nn::ModuleList& blocks, int64_t i) {
  return *blocks->ptr<TransformerBlockImpl>(static_cast<size_t>(i));
}

void set_zero(Dense& dense) {
  dense->weight.zero_();
  dense->bias.zero_();
}

}  // namespace

void check_transformer(const DenoiserConfig& config, const FrameShape& shape) {
  const TransformerSizes options(config, shape);
  const FrameShape& latent = options.latent;
  if (options.contexts < 1) {
    refuse(
        fmt::format("contexts: expected at least 1, found {}; a step needs the frame it starts "
                    "from",
                    options.contexts));
  }
  if (options.patch < 1 || latent.channels < 1 || latent.height < options.patch ||
      latent.width < options.patch || latent.height % options.patch != 0 ||
      latent.width % options.patch != 0) {
    refuse(
        fmt::format("patch: expected a divisor of the latent grid {} x {} (channels {}), found "
                    "{}; choose another patch (1 always fits) or another codec",
                    latent.height, latent.width, latent.channels, options.patch));
  }
  if (options.heads < 1 || options.width < 1 || options.width % options.heads != 0) {
    refuse(
        fmt::format("heads: expected a divisor of the width {}, found {}; 64 features a head "
                    "are usual",
                    options.width, options.heads));
  }
  if (options.layers < 1 || options.mlp_ratio < 1 || options.condition_width < 1) {
    refuse(fmt::format("layers {}, mlp_ratio {}, condition_width {}: expected at least 1 each",
                       options.layers, options.mlp_ratio, options.condition_width));
  }
  if (options.frequencies < 2 || options.frequencies % 2 != 0) {
    refuse(fmt::format("frequencies: expected an even number, found {}; 256 is the default",
                       options.frequencies));
  }
  if (options.position_init == PositionInit::sinusoidal && options.width % 4 != 0) {
    refuse(
        fmt::format("width: expected a multiple of 4 for sinusoidal positions, found {}; choose "
                    "one, or positions = random",
                    options.width));
  }
}

int64_t transformer_tokens(const DenoiserConfig& config, const FrameShape& latent) {
  return tokens_of({config, latent});
}

int64_t transformer_parameters(const DenoiserConfig& config, const FrameShape& latent) {
  const TransformerSizes options(config, latent);
  const int64_t D = options.width, C = options.condition_width;
  const auto dense = [](int64_t inputs, int64_t outputs) { return (inputs + 1) * outputs; };
  // Normalisation, of queries and keys too, has no weights.
  const int64_t block = dense(D, 3 * D) + dense(D, D) + dense(D, options.mlp_ratio * D) +
                        dense(options.mlp_ratio * D, D) + dense(C, 6 * D);
  return dense(token_inputs(options), D) + tokens_of(options) * D +
         (options.time_index ? 2 : 1) * dense(options.frequencies, C) + 2 * C + 2 * dense(C, C) +
         options.layers * block + dense(C, 2 * D) + dense(D, patch_size(options));
}

double transformer_flops(const DenoiserConfig& config, const FrameShape& latent) {
  const TransformerSizes options(config, latent);
  const auto D = static_cast<double>(options.width),
             C = static_cast<double>(options.condition_width);
  const auto tokens = static_cast<double>(tokens_of(options));
  const auto layers = static_cast<double>(options.layers);
  const auto ratio = static_cast<double>(options.mlp_ratio);
  const double products = tokens * (4 + 2 * ratio) * D * D + 2 * tokens * tokens * D + 6 * C * D;
  const double ends =
      tokens * static_cast<double>(token_inputs(options)) * D +
      static_cast<double>(patches_of(options) * patch_size(options)) * D + 2 * C * D +
      (options.time_index ? 2.0 : 1.0) * static_cast<double>(options.frequencies) * C + 2 * C * C;
  return 2 * (layers * products + ends);
}

namespace {

class DiffusionTransformer final : public Denoiser {
 public:
  DiffusionTransformer(const DenoiserConfig& config, const FrameShape& latent, uint64_t seed);

  torch::Tensor forward(const torch::Tensor& noised, const torch::Tensor& context,
                        const torch::Tensor& anchor, const torch::Tensor& k, const torch::Tensor& t,
                        const torch::Tensor& direction) override;
  int64_t contexts() const override { return options_.contexts; }

 private:
  void register_layers();
  void initialise_weights(uint64_t seed);
  torch::Tensor embedded(const torch::Tensor& noised, const torch::Tensor& context,
                         const torch::Tensor& anchor);   // (B, T, D)
  torch::Tensor initial_positions(uint64_t seed) const;  // (T, D)

  TransformerSizes options_;
  Dense patch_projection_{nullptr};
  Dense final_modulation_{nullptr}, final_linear_{nullptr};
  torch::nn::ModuleList blocks_{nullptr};
  torch::Tensor position_embedding_;  // (T, D)
  std::optional<StepCondition> condition_;
};

DiffusionTransformer::DiffusionTransformer(const DenoiserConfig& config, const FrameShape& latent,
                                           uint64_t seed)
    : options_(config, latent) {
  register_layers();
  initialise_weights(seed);
}

void DiffusionTransformer::register_layers() {
  const int64_t D = options_.width, C = options_.condition_width;
  patch_projection_ = register_module("patch_projection", Dense(token_inputs(options_), D));
  position_embedding_ =
      register_parameter("position_embedding", torch::zeros({tokens_of(options_), D}));
  condition_.emplace(*this, options_.frequencies, C, options_.time_index);
  blocks_ = register_module("blocks", torch::nn::ModuleList());
  for (int64_t i = 0; i < options_.layers; ++i) {
    blocks_->push_back(TransformerBlock(
        TransformerBlockOptions{D, options_.heads, C, options_.mlp_ratio, options_.qk_norm}));
  }
  final_modulation_ = register_module("final_modulation", Dense(C, 2 * D));
  final_linear_ = register_module("final_linear", Dense(D, patch_size(options_)));
}

torch::Tensor DiffusionTransformer::initial_positions(uint64_t seed) const {
  const int64_t D = options_.width;
  if (options_.position_init == PositionInit::random) {
    return 0.02 * keyed_normal({tokens_of(options_), D}, seed, "init.position_embedding");
  }
  const int64_t p = options_.patch;
  const torch::Tensor grid =
      grid_sinusoid(options_.latent.height / p, options_.latent.width / p, D);
  if (options_.mode == ContextMode::channels) return grid;
  // Position alone says which role a frame has. Without a part of its own every frame's tokens
  // would start alike, and attention would have to mix target, contexts and anchor evenly.
  const torch::Tensor role = 0.02 * keyed_normal({frames(options_), 1, D}, seed, "init.role");
  return (role + grid).flatten(0, 1);
}

void DiffusionTransformer::initialise_weights(uint64_t seed) {
  const torch::NoGradGuard no_grad;
  initialise(*this, seed);
  position_embedding_.copy_(initial_positions(seed));
  condition_->initialise_directions(seed);
  // Zero gates: every block starts as the identity, and the network's first answer is zero.
  for (int64_t i = 0; i < options_.layers; ++i) set_zero(block(blocks_, i).modulation);
  set_zero(final_modulation_);
  set_zero(final_linear_);
}

torch::Tensor DiffusionTransformer::embedded(const torch::Tensor& noised,
                                             const torch::Tensor& context,
                                             const torch::Tensor& anchor) {
  const torch::Tensor all =
      torch::cat({noised.unsqueeze(1), context, anchor.unsqueeze(1)}, /*dim=*/1);
  const torch::Tensor patches = options_.mode == ContextMode::tokens
                                    ? patchify(all, options_.patch)
                                    : patchify_stacked(all, options_.patch);
  return patch_projection_(patches).add_(position_embedding_);
}

torch::Tensor DiffusionTransformer::forward(const torch::Tensor& noised,
                                            const torch::Tensor& context,
                                            const torch::Tensor& anchor, const torch::Tensor& k,
                                            const torch::Tensor& t,
                                            const torch::Tensor& direction) {
  const FrameShape& latent = options_.latent;
  const int64_t batch = noised.size(0);
  ensure(noised.sizes() == torch::IntArrayRef(latent.sizes({batch})) &&
             anchor.sizes() == noised.sizes() && context.dim() == 5 &&
             context.size(1) == options_.contexts && context.select(1, 0).sizes() == noised.sizes(),
         "frames of the shape the denoiser was built for");

  const torch::Tensor c = (*condition_)(k, t, direction);
  torch::Tensor x = embedded(noised, context, anchor);
  for (int64_t i = 0; i < options_.layers; ++i) {
    TransformerBlockImpl& layer = block(blocks_, i);
    // Only the target's tokens are read after the last block, so only they go through its queries
    // and its feed-forward part.
    const int64_t tokens = i + 1 == options_.layers ? patches_of(options_) : x.size(1);
    const auto run = [&layer, tokens](const std::vector<torch::Tensor>& inputs) {
      return layer.forward(inputs[0], inputs[1], tokens);
    };
    x = options_.checkpoint_activations ? checkpointed(layer, {x, c}, run) : run({x, c});
  }
  const auto part = final_modulation_(c).chunk(2, /*dim=*/1);  // shift, scale: (B, D) each
  return unpatchify(final_linear_(modulated_norm(x, part[0], part[1])), latent.height, latent.width,
                    options_.patch);
}

}  // namespace

std::shared_ptr<Denoiser> make_diffusion_transformer(const DenoiserConfig& config,
                                                     const FrameShape& latent, uint64_t seed) {
  check_transformer(config, latent);
  return std::make_shared<DiffusionTransformer>(config, latent, seed);
}

}  // namespace roundtrip

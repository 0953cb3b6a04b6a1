// A diffusion transformer over the frames of a short window. Peebles & Xie 2023, "Scalable
// diffusion models with transformers", with the window's frames as one sequence of tokens.
#include "roundtrip/models/denoiser.h"

#include <fmt/format.h>
#include <torch/nn/modules/container/modulelist.h>
#include <torch/types.h>
#include <torch/utils.h>

#include "roundtrip/base/error.h"
#include "roundtrip/nn/activation_checkpoint.h"
#include "roundtrip/nn/init.h"
#include "roundtrip/nn/modulation.h"
#include "roundtrip/nn/patches.h"
#include "roundtrip/nn/sinusoid.h"
#include "roundtrip/nn/transformer_block.h"

namespace roundtrip {
namespace {

int64_t frames(const DenoiserOptions& options) { return options.contexts + 2; }

// Patches of one frame.
int64_t places(const DenoiserOptions& options) {
  return options.latent.height * options.latent.width / (options.patch * options.patch);
}

// Numbers in one patch of one frame.
int64_t patch_size(const DenoiserOptions& options) {
  return options.patch * options.patch * options.latent.channels;
}

// Numbers a token is made from.
int64_t token_inputs(const DenoiserOptions& options) {
  return patch_size(options) * (options.context == ContextMode::channels ? frames(options) : 1);
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

const Catalog<ChoiceRow<ContextMode>>& context_modes() {
  static const Catalog<ChoiceRow<ContextMode>> rows = {
      {"tokens", "every frame its own tokens in one sequence (the paper's)", ContextMode::tokens},
      {"channels", "the patches of all frames at one place stacked into one token",
       ContextMode::channels},
  };
  return rows;
}

const Catalog<ChoiceRow<PositionStart>>& position_starts() {
  static const Catalog<ChoiceRow<PositionStart>> rows = {
      {"random", "0.02 N(0, 1) (the paper's)", PositionStart::random},
      {"sinusoidal", "sinusoids of row and column, the same for every frame",
       PositionStart::sinusoidal},
  };
  return rows;
}

void check(const DenoiserOptions& options) {
  const LatentShape& latent = options.latent;
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
  if (options.depth < 1 || options.mlp_ratio < 1 || options.condition_width < 1) {
    refuse(fmt::format("depth {}, mlp_ratio {}, condition_width {}: expected at least 1 each",
                       options.depth, options.mlp_ratio, options.condition_width));
  }
  if (options.frequencies < 2 || options.frequencies % 2 != 0) {
    refuse(fmt::format("frequencies: expected an even number, found {}; 256 is the default",
                       options.frequencies));
  }
  if (options.positions == PositionStart::sinusoidal && options.width % 4 != 0) {
    refuse(
        fmt::format("width: expected a multiple of 4 for sinusoidal positions, found {}; choose "
                    "one, or positions = random",
                    options.width));
  }
}

int64_t denoiser_tokens(const DenoiserOptions& options) {
  return places(options) * (options.context == ContextMode::tokens ? frames(options) : 1);
}

int64_t denoiser_parameters(const DenoiserOptions& options) {
  const int64_t D = options.width, C = options.condition_width;
  const auto dense = [](int64_t inputs, int64_t outputs) { return (inputs + 1) * outputs; };
  // Normalisation, of queries and keys too, has no weights.
  const int64_t block = dense(D, 3 * D) + dense(D, D) + dense(D, options.mlp_ratio * D) +
                        dense(options.mlp_ratio * D, D) + dense(C, 6 * D);
  return dense(token_inputs(options), D) + denoiser_tokens(options) * D +
         2 * dense(options.frequencies, C) + 2 * C + 2 * dense(C, C) + options.depth * block +
         dense(C, 2 * D) + dense(D, patch_size(options));
}

double denoiser_flops(const DenoiserOptions& options) {
  const auto D = static_cast<double>(options.width),
             C = static_cast<double>(options.condition_width);
  const auto tokens = static_cast<double>(denoiser_tokens(options));
  const auto depth = static_cast<double>(options.depth);
  const auto ratio = static_cast<double>(options.mlp_ratio);
  const double products = tokens * (4 + 2 * ratio) * D * D + 2 * tokens * tokens * D + 6 * C * D;
  const double ends = tokens * static_cast<double>(token_inputs(options)) * D +
                      static_cast<double>(places(options) * patch_size(options)) * D + 2 * C * D +
                      2 * static_cast<double>(options.frequencies) * C + 2 * C * C;
  return 2 * (depth * products + ends);
}

DenoiserImpl::DenoiserImpl(const DenoiserOptions& options) : options_(options) { reset(); }

void DenoiserImpl::reset() {
  check(options_);
  const int64_t D = options_.width, C = options_.condition_width;
  patch_projection_ = register_module("patch_projection", Dense(token_inputs(options_), D));
  position_embedding_ =
      register_parameter("position_embedding", torch::zeros({denoiser_tokens(options_), D}));
  step_projection_ = register_module("step_projection", Dense(options_.frequencies, C));
  time_projection_ = register_module("time_projection", Dense(options_.frequencies, C));
  direction_embedding_ = register_parameter("direction_embedding", torch::zeros({2, C}));
  condition_fc1_ = register_module("condition_fc1", Dense(C, C));
  condition_fc2_ = register_module("condition_fc2", Dense(C, C));
  blocks_ = register_module("blocks", torch::nn::ModuleList());
  for (int64_t i = 0; i < options_.depth; ++i) {
    blocks_->push_back(TransformerBlock(
        TransformerBlockOptions{D, options_.heads, C, options_.mlp_ratio, options_.qk_norm}));
  }
  final_modulation_ = register_module("final_modulation", Dense(C, 2 * D));
  final_linear_ = register_module("final_linear", Dense(D, patch_size(options_)));
  start_weights(options_.seed);
}

torch::Tensor DenoiserImpl::start_positions(uint64_t seed) const {
  const int64_t D = options_.width;
  if (options_.positions == PositionStart::random) {
    return 0.02 * keyed_normal({denoiser_tokens(options_), D}, seed, "init.position_embedding");
  }
  const int64_t p = options_.patch;
  const torch::Tensor grid =
      grid_sinusoid(options_.latent.height / p, options_.latent.width / p, D);
  if (options_.context == ContextMode::channels) return grid;
  // Position is all that tells a frame's role. Without a part of its own every frame's tokens would
  // start alike, and attention would have to mix target, contexts and anchor evenly.
  const torch::Tensor role = 0.02 * keyed_normal({frames(options_), 1, D}, seed, "init.role");
  return (role + grid).flatten(0, 1);
}

void DenoiserImpl::start_weights(uint64_t seed) {
  const torch::NoGradGuard no_grad;
  initialise(*this, seed);
  position_embedding_.copy_(start_positions(seed));
  direction_embedding_.copy_(
      0.02 * keyed_normal(direction_embedding_.sizes(), seed, "init.direction_embedding"));
  // Zero gates: every block starts as the identity, and the network's first answer is zero.
  for (int64_t i = 0; i < options_.depth; ++i) set_zero(block(blocks_, i).modulation);
  set_zero(final_modulation_);
  set_zero(final_linear_);
}

torch::Tensor DenoiserImpl::embedded(const torch::Tensor& noised, const torch::Tensor& context,
                                     const torch::Tensor& anchor) {
  const torch::Tensor all =
      torch::cat({noised.unsqueeze(1), context, anchor.unsqueeze(1)}, /*dim=*/1);
  const torch::Tensor patches = options_.context == ContextMode::tokens
                                    ? patchify(all, options_.patch)
                                    : patchify_stacked(all, options_.patch);
  return patch_projection_(patches).add_(position_embedding_);
}

// c = MLP(SiLU[W_k sin(k)] + SiLU[W_t sin(t)] + E_d[1{c_d < 0}]), and the SiLU that every
// modulation starts with.
torch::Tensor DenoiserImpl::condition(const torch::Tensor& k, const torch::Tensor& t,
                                      const torch::Tensor& direction) {
  const auto type = position_embedding_.scalar_type();
  const torch::Tensor sum =
      torch::silu(step_projection_(sinusoid(k, options_.frequencies, type))) +
      torch::silu(time_projection_(sinusoid(t, options_.frequencies, type))) +
      direction_embedding_.index_select(/*dim=*/0, (direction < 0).to(torch::kInt64));
  return torch::silu(condition_fc2_(torch::silu(condition_fc1_(sum))));
}

torch::Tensor DenoiserImpl::forward(const torch::Tensor& noised, const torch::Tensor& context,
                                    const torch::Tensor& anchor, const torch::Tensor& k,
                                    const torch::Tensor& t, const torch::Tensor& direction) {
  const LatentShape& latent = options_.latent;
  const int64_t batch = noised.size(0);
  ensure(
      noised.sizes() == torch::IntArrayRef({batch, latent.channels, latent.height, latent.width}) &&
          anchor.sizes() == noised.sizes() && context.dim() == 5 &&
          context.size(1) == options_.contexts && context.select(1, 0).sizes() == noised.sizes(),
      "frames of the shape the denoiser was built for");

  const torch::Tensor c = condition(k, t, direction);
  torch::Tensor x = embedded(noised, context, anchor);
  for (int64_t i = 0; i < options_.depth; ++i) {
    TransformerBlockImpl& layer = block(blocks_, i);
    // Only the target's tokens are read after the last block, so only they go through its queries
    // and its feed-forward part.
    const int64_t tokens = i + 1 == options_.depth ? places(options_) : x.size(1);
    const auto run = [&layer, tokens](const std::vector<torch::Tensor>& inputs) {
      return layer.forward(inputs[0], inputs[1], tokens);
    };
    x = options_.checkpoint_activations ? checkpointed(layer, {x, c}, run) : run({x, c});
  }
  const auto part = final_modulation_(c).chunk(2, /*dim=*/1);  // shift, scale: (B, D) each
  return unpatchify(final_linear_(modulated_norm(x, part[0], part[1])), latent.height, latent.width,
                    options_.patch);
}

}  // namespace roundtrip

#include "roundtrip/models/denoiser_config.h"

namespace roundtrip {

void bind(DenoiserConfig& config, Settings& settings) {
  settings.add("denoiser.contexts", config.contexts, "frames of the context window").at_least(1);
  settings.add("denoiser.width", config.width, "features of a token").at_least(1);
  settings.add("denoiser.depth", config.depth, "blocks").at_least(1);
  settings.add("denoiser.heads", config.heads, "attention heads").at_least(1);
  settings.add("denoiser.condition_width", config.condition_width, "features of the condition")
      .at_least(1);
  settings.add("denoiser.patch", config.patch, "side of a patch of the latent frame").at_least(1);
  settings.add("denoiser.mlp_ratio", config.mlp_ratio, "hidden width of the MLP, in widths")
      .at_least(1);
  settings.add("denoiser.qk_norm", config.qk_norm, "normalise queries and keys per head");
  settings.add("denoiser.context", config.context, "how the network sees contexts and anchor")
      .one_of(names_of(context_modes()));
  settings.add("denoiser.positions", config.positions, "how the positional embedding starts")
      .one_of(names_of(position_starts()));
  settings.add("denoiser.checkpoint_activations", config.checkpoint_activations,
               "compute blocks again for the gradient: less memory");
}

DenoiserOptions denoiser_options(const DenoiserConfig& config, const LatentShape& latent,
                                 uint64_t seed) {
  DenoiserOptions options;
  options.latent = latent;
  options.contexts = config.contexts;
  options.width = config.width;
  options.depth = config.depth;
  options.heads = config.heads;
  options.condition_width = config.condition_width;
  options.patch = config.patch;
  options.mlp_ratio = config.mlp_ratio;
  options.qk_norm = config.qk_norm;
  options.context = find_row(context_modes(), "denoiser.context", config.context).value;
  options.positions = find_row(position_starts(), "denoiser.positions", config.positions).value;
  options.checkpoint_activations = config.checkpoint_activations;
  options.seed = seed;
  check(options);
  return options;
}

}  // namespace roundtrip

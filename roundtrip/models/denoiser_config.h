#pragma once

#include <cstdint>
#include <string>

#include "roundtrip/base/settings.h"
#include "roundtrip/models/denoiser.h"

namespace roundtrip {

/// The denoiser's sizes as settings; the defaults are the paper's for its physical systems.
struct DenoiserConfig {
  int64_t contexts = 2;                 // n, frames of the context window
  int64_t width = 384;                  // features of a token
  int64_t depth = 12;                   // blocks
  int64_t heads = 6;                    // attention heads
  int64_t condition_width = 256;        // features of the condition
  int64_t patch = 2;                    // side of a patch
  int64_t mlp_ratio = 4;                // hidden width of the feed-forward part, in widths
  bool qk_norm = false;                 // normalise queries and keys
  std::string context = "tokens";       // row of context_modes()
  std::string positions = "random";     // row of position_starts()
  bool checkpoint_activations = false;  // less memory, a third more work
};

/// Rows under "denoiser.".
void bind(DenoiserConfig& config, Settings& settings);

/// The options of a network for latents of that shape; an Error when the sizes do not fit.
DenoiserOptions denoiser_options(const DenoiserConfig& config, const LatentShape& latent,
                                 uint64_t seed);

}  // namespace roundtrip

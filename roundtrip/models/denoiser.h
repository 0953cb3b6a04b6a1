#pragma once

#include <cstdint>
#include <string_view>

#include <torch/nn/module.h>
#include <torch/nn/modules/container/modulelist.h>
#include <torch/nn/pimpl.h>
#include <torch/types.h>

#include "roundtrip/base/catalog.h"
#include "roundtrip/models/latent_shape.h"
#include "roundtrip/nn/dense.h"
#include "roundtrip/nn/feed_forward.h"

namespace roundtrip {

/// How the network sees the frames beside the noised target.
enum class ContextMode { tokens, channels };

/// How the learned positional embedding starts.
enum class PositionStart { random, sinusoidal };

const Catalog<ChoiceRow<ContextMode>>& context_modes();
const Catalog<ChoiceRow<PositionStart>>& position_starts();

/// Sizes of a denoiser; the defaults are the paper's for its physical systems.
struct DenoiserOptions {
  LatentShape latent;             // one frame
  int64_t contexts = 2;           // n, frames of the context window
  int64_t width = 384;            // D, features of a token
  int64_t depth = 12;             // blocks
  int64_t heads = 6;              // attention heads; they divide the width
  int64_t condition_width = 256;  // C, features of the condition
  int64_t patch = 2;              // p, side of a patch; it divides height and width of a frame
  int64_t mlp_ratio = 4;          // hidden width of a block's feed-forward part, in widths
  bool qk_norm = false;           // normalise queries and keys per head: bounded attention logits
  ContextMode context = ContextMode::tokens;
  PositionStart positions = PositionStart::random;
  bool checkpoint_activations = false;  // compute blocks again for the gradient: less memory
  int64_t frequencies = 256;            // sinusoidal features of k and of t
  uint64_t seed = 0;                    // of the weights' start
};

/// Throws an Error that says what to change where the sizes do not fit together.
void check(const DenoiserOptions& options);

/// Tokens of one sequence.
int64_t denoiser_tokens(const DenoiserOptions& options);

/// Trained numbers of the network, without building it.
int64_t denoiser_parameters(const DenoiserOptions& options);

/// Multiplications and additions of one call, per row of the batch (matrix products alone).
double denoiser_flops(const DenoiserOptions& options);

/// The diffusion transformer: what the schedule's prediction is (noise, velocity or clean frame),
/// it does not know. At its start it returns zeros.
class DenoiserImpl : public torch::nn::Module {
 public:
  explicit DenoiserImpl(const DenoiserOptions& options);

  /// Builds the network and gives it the weights of `options.seed`.
  void reset();

  /// Gives every weight its start, by the seed alone.
  void start_weights(uint64_t seed);

  /// noised, anchor (B, F, h, w); context (B, n, F, h, w), farthest to nearest; k (noise level),
  /// t (index of the target frame), direction (+1 or -1): (B) int64 -> (B, F, h, w).
  torch::Tensor forward(const torch::Tensor& noised, const torch::Tensor& context,
                        const torch::Tensor& anchor, const torch::Tensor& k, const torch::Tensor& t,
                        const torch::Tensor& direction);

  const DenoiserOptions& options() const { return options_; }

 private:
  torch::Tensor embedded(const torch::Tensor& noised, const torch::Tensor& context,
                         const torch::Tensor& anchor);  // (B, T, D)
  torch::Tensor condition(const torch::Tensor& k, const torch::Tensor& t,
                          const torch::Tensor& direction);  // (B, C)
  torch::Tensor start_positions(uint64_t seed) const;       // (T, D)

  DenoiserOptions options_;
  Dense patch_projection_{nullptr}, step_projection_{nullptr}, time_projection_{nullptr};
  Dense condition_fc1_{nullptr}, condition_fc2_{nullptr};
  Dense final_modulation_{nullptr}, final_linear_{nullptr};
  torch::nn::ModuleList blocks_{nullptr};
  torch::Tensor position_embedding_;   // (T, D)
  torch::Tensor direction_embedding_;  // (2, C): forward, backward
};
TORCH_MODULE(Denoiser);

}  // namespace roundtrip

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <torch/nn/module.h>
#include <torch/types.h>

#include "roundtrip/base/registry.h"
#include "roundtrip/base/settings.h"
#include "roundtrip/data/boundary.h"
#include "roundtrip/data/frame_shape.h"

namespace roundtrip {

/// How a transformer sees the frames beside the noised target.
enum class ContextMode { tokens, channels };

/// How a transformer's learned positional embedding is initialised.
enum class PositionInit { random, sinusoidal };

const Registry<ChoiceEntry<ContextMode>>& context_modes();
const Registry<ChoiceEntry<PositionInit>>& position_inits();

/// Everything that chooses a denoiser; the defaults are the paper's for its physical systems.
struct DenoiserConfig {
  std::string network = "dit";           // entry of denoiser_networks()
  int64_t contexts = 2;                  // n, frames of the context window
  int64_t width = 384;                   // dit: D, features of a token
  int64_t layers = 12;                   // dit: blocks
  int64_t heads = 6;                     // dit: attention heads
  int64_t condition_width = 256;         // features of the condition
  int64_t patch = 2;                     // dit: side of a patch
  int64_t mlp_ratio = 4;                 // dit: hidden width of the feed-forward part, in widths
  bool qk_norm = false;                  // dit: normalise queries and keys
  std::string context = "tokens";        // dit: entry of context_modes()
  std::string positions = "random";      // dit: entry of position_inits()
  bool checkpoint_activations = false;   // dit: less memory, a third more work
  int64_t frequencies = 256;             // sinusoidal features of k and of t
  bool time_index = true;                // the network sees the index of the target frame
  std::vector<int64_t> channels = {48};  // conv: of each resolution, finest first
  int64_t blocks = 4;                    // conv: residual, per resolution and side
  std::vector<int64_t> dilations = {1, 2, 4, 1};  // conv: of the blocks, in turn
  bool anchor = true;                             // conv: the network sees the anchor frame
  bool coordinates = false;      // conv: the network sees where on the grid a cell lies
  std::string padding = "data";  // conv: by the data's boundaries, or a entry of paddings()
};

/// Rows under "denoiser.".
void bind(DenoiserConfig& config, Settings& settings);

/// A network that estimates the noise, the velocity or the clean frame of a noised one; which of
/// them is the business of whoever trains it.
class Denoiser : public torch::nn::Module {
 public:
  /// noised, anchor (B, F, h, w); context (B, n, F, h, w), farthest to nearest; k (noise level),
  /// t (index of the target frame), direction (+1 or -1): (B) int64 -> (B, F, h, w).
  virtual torch::Tensor forward(const torch::Tensor& noised, const torch::Tensor& context,
                                const torch::Tensor& anchor, const torch::Tensor& k,
                                const torch::Tensor& t, const torch::Tensor& direction) = 0;
  /// n, frames of the context window.
  virtual int64_t contexts() const = 0;

  torch::Tensor operator()(const torch::Tensor& noised, const torch::Tensor& context,
                           const torch::Tensor& anchor, const torch::Tensor& k,
                           const torch::Tensor& t, const torch::Tensor& direction) {
    return forward(noised, context, anchor, k, t, direction);
  }
};

/// What a denoiser has to fit: the latent frames and how their axes end.
struct LatentGrid {
  FrameShape shape;
  FrameBoundaries boundary = {Boundary::open, Boundary::open};
};

/// One row per network.
struct DenoiserNetworkEntry {
  std::string_view name;
  std::string_view summary;
  void (*check)(const DenoiserConfig& config, const LatentGrid& grid);
  std::shared_ptr<Denoiser> (*make)(const DenoiserConfig& config, const LatentGrid& grid,
                                    uint64_t seed);
};

/// All networks, the paper's first.
const Registry<DenoiserNetworkEntry>& denoiser_networks();

/// An Error that says what to change where the sizes do not fit the grid.
void check_denoiser(const DenoiserConfig& config, const LatentGrid& grid);

/// The network a config names, with the initial weights of `seed`.
std::shared_ptr<Denoiser> make_denoiser(const DenoiserConfig& config, const LatentGrid& grid,
                                        uint64_t seed);

}  // namespace roundtrip

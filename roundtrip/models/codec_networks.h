#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "roundtrip/base/registry.h"
#include "roundtrip/models/codec_network.h"
#include "roundtrip/models/cvae.h"

namespace roundtrip {

class Settings;

/// Everything that chooses a codec network and its loss. The defaults are the small cvae for
/// 64 x 64 frames.
struct CodecConfig {
  std::string network = "cvae";        // a name in codec_networks()
  int64_t latent_channels = 4;         // cvae: per field; autoencoder_kl, taesd: in all
  int64_t stem = 64;                   // channels of the first convolution (cvae)
  std::vector<int64_t> widths = {64};  // channels of the stages, finest first
  int64_t blocks = 1;                  // residual blocks per stage
  int64_t heads = 4;                   // of the attention at the bottleneck
  int64_t groups = 8;                  // of the normalisations
  int64_t patch = 4;                   // side of the pixel patches that enter the stem (cvae)
  bool linear_path =
      true;  // a linear codec of patches, fitted first, that the network corrects (cvae)
  double latent_scale = 0.18215;  // factor on the latents (autoencoder_kl)
  double kl_weight = 1e-3;        // of the KL term; see codec_loss
  std::string weights;            // file to start from (taesd: or a folder); "" = by seed
  bool frozen = false;            // true: the weights are not trained; taesd's never are
};

/// Rows under "codec.".
void bind(CodecConfig& config, Settings& settings);

/// The options of the `cvae` that a config asks for.
CvaeOptions cvae_options(const CodecConfig& config, const FrameShape& shape);

/// One row per codec network.
struct CodecNetworkEntry {
  std::string_view name;
  std::string_view summary;
  std::shared_ptr<CodecNetwork> (*make)(const CodecConfig& config, const FrameShape& shape);
  void (*read)(const std::string& path, CodecNetwork& network);
  /// A codec for pictures that is what its published weights are: they have to be given, training
  /// leaves them alone, and frames have to be in [-1, 1] as they come.
  bool published = false;
};

/// All codec networks, by hand: adding one is a file pair, a test and a row here.
const Registry<CodecNetworkEntry>& codec_networks();

/// The network the config names, for frames of `shape`, its weights yet to be set; without
/// gradients when frozen.
std::shared_ptr<CodecNetwork> codec_network_of(const CodecConfig& config, const FrameShape& shape);

/// The same with its first weights: from the config's file, or else by `seed`. An Error when the
/// network is one of published weights and none are named.
std::shared_ptr<CodecNetwork> make_codec_network(const CodecConfig& config, const FrameShape& shape,
                                                 uint64_t seed);

}  // namespace roundtrip

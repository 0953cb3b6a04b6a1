#include "roundtrip/models/codec_networks.h"

#include <fmt/format.h>
#include <torch/types.h>

#include "roundtrip/base/error.h"
#include "roundtrip/base/settings.h"
#include "roundtrip/models/autoencoder_kl.h"
#include "roundtrip/models/cvae.h"
#include "roundtrip/models/identity_codec.h"
#include "roundtrip/models/taesd.h"
#include "roundtrip/nn/module_file.h"

namespace roundtrip {

CvaeOptions cvae_options(const CodecConfig& config, const FrameShape& shape) {
  CvaeOptions options;
  options.fields = shape.channels;
  options.height = shape.height;
  options.width = shape.width;
  options.latent_channels = config.latent_channels;
  options.stem = config.stem;
  options.widths = config.widths;
  options.blocks = config.blocks;
  options.heads = config.heads;
  options.groups = config.groups;
  options.patch = config.patch;
  options.linear_path = config.linear_path;
  return options;
}

namespace {

std::shared_ptr<CodecNetwork> cvae_from(const CodecConfig& config, const FrameShape& shape) {
  return make_cvae(cvae_options(config, shape));
}

std::shared_ptr<CodecNetwork> autoencoder_from(const CodecConfig& config, const FrameShape& shape) {
  AutoencoderKlOptions options;
  options.image_channels = shape.channels;
  options.height = shape.height;
  options.width = shape.width;
  options.latent_channels = config.latent_channels;
  options.widths = config.widths;
  options.blocks = config.blocks;
  options.heads = config.heads;
  options.groups = config.groups;
  options.latent_scale = config.latent_scale;
  return make_autoencoder_kl(options);
}

std::shared_ptr<CodecNetwork> identity_from(const CodecConfig&, const FrameShape& shape) {
  return make_identity_codec(shape);
}

std::shared_ptr<CodecNetwork> taesd_from(const CodecConfig& config, const FrameShape& shape) {
  if (shape.channels != 3) {
    throw Error("taesd", fmt::format("expected frames of 3 colours, found {} fields; it is a codec "
                                     "for video",
                                     shape.channels));
  }
  TaesdOptions options;
  options.height = shape.height;
  options.width = shape.width;
  options.latent_channels = config.latent_channels;
  return make_taesd(options);
}

void read_plain(const std::string& path, CodecNetwork& network) { read_module(path, network); }

void read_autoencoder(const std::string& path, CodecNetwork& network) {
  read_autoencoder_kl(path, network);
}

void read_published_taesd(const std::string& path, CodecNetwork& network) {
  read_taesd(path, network);
}

}  // namespace

void bind(CodecConfig& config, Settings& settings) {
  settings.add("codec.network", config.network, "what turns frames into latents")
      .one_of(names_of(codec_networks()));
  settings
      .add("codec.latent_channels", config.latent_channels,
           "latent channels: of each field (cvae), of a frame (autoencoder_kl, taesd)")
      .at_least(1);
  settings.add("codec.stem", config.stem, "channels of the first convolution (cvae)").at_least(1);
  settings.add("codec.widths", config.widths, "channels of the stages, finest first").at_least(1);
  settings.add("codec.blocks", config.blocks, "residual blocks per stage").at_least(1);
  settings.add("codec.heads", config.heads, "heads of the attention at the bottleneck").at_least(1);
  settings.add("codec.groups", config.groups, "groups of the normalisations").at_least(1);
  settings.add("codec.patch", config.patch, "side of the pixel patches that enter the stem (cvae)")
      .at_least(1);
  settings.add("codec.linear_path", config.linear_path,
               "a linear codec of patches, fitted first, that the network corrects (cvae)");
  settings.add("codec.latent_scale", config.latent_scale, "factor on the latents (autoencoder_kl)")
      .at_least(1e-6);
  settings
      .add("codec.kl_weight", config.kl_weight,
           "weight of the KL term, mean over latent entries against mean over pixels")
      .at_least(0);
  settings.add("codec.weights", config.weights,
               "safetensors file to start from (taesd: or the folder of both); empty = by seed");
  settings.add("codec.frozen", config.frozen,
               "true: the weights are not trained (taesd's never are)");
}

const Catalog<CodecNetworkRow>& codec_networks() {
  static const Catalog<CodecNetworkRow> rows = {
      {"cvae", "one variational autoencoder for all fields, told which field it sees", cvae_from,
       read_plain},
      {"autoencoder_kl", "Stable Diffusion's autoencoder, all channels of a frame together",
       autoencoder_from, read_autoencoder},
      {"identity", "none: the latents are the normalised fields", identity_from, read_plain},
      {"taesd", "a tiny autoencoder for Stable Diffusion's latents, for video, as published",
       taesd_from, read_published_taesd, /*published=*/true},
  };
  return rows;
}

std::shared_ptr<CodecNetwork> codec_network_of(const CodecConfig& config, const FrameShape& shape) {
  const CodecNetworkRow& row = find_row(codec_networks(), "codec", config.network);
  std::shared_ptr<CodecNetwork> network = row.make(config, shape);
  for (torch::Tensor& parameter : network->parameters()) {
    parameter.set_requires_grad(!config.frozen && !row.published);
  }
  return network;
}

std::shared_ptr<CodecNetwork> make_codec_network(const CodecConfig& config, const FrameShape& shape,
                                                 uint64_t seed) {
  std::shared_ptr<CodecNetwork> network = codec_network_of(config, shape);
  const CodecNetworkRow& row = find_row(codec_networks(), "codec", config.network);
  if (!config.weights.empty()) {
    row.read(config.weights, *network);
  } else if (row.published) {
    throw Error("codec",
                fmt::format("codec.weights: expected where the published weights of {} "
                            "are, found nothing; docs/how-to/faces.md says where to get them",
                            config.network));
  } else {
    network->initialise(seed);
  }
  return network;
}

}  // namespace roundtrip

// Rombach et al. 2022, "High-resolution image synthesis with latent diffusion models".
#include "roundtrip/models/autoencoder_kl.h"

#include <string>

#include <fmt/format.h>
#include <torch/nn/modules/conv.h>
#include <torch/types.h>

#include "roundtrip/base/error.h"
#include "roundtrip/nn/conv_decoder.h"
#include "roundtrip/nn/conv_encoder.h"
#include "roundtrip/nn/module_file.h"
#include "roundtrip/nn/residual_block.h"

namespace roundtrip {
namespace {

ConvStackOptions stack_of(const AutoencoderKlOptions& options) {
  ConvStackOptions stack;
  stack.image_channels = options.image_channels;
  stack.latent_channels = options.latent_channels;
  stack.stem = options.widths.empty() ? 1 : options.widths.front();
  stack.widths = options.widths;
  stack.blocks = options.blocks;
  stack.heads = options.heads;
  stack.groups = options.groups;
  stack.downsample_every_stage = false;
  return stack;
}

class AutoencoderKl : public CodecNetwork {
 public:
  explicit AutoencoderKl(const AutoencoderKlOptions& options) : options_(options) {
    const ConvStackOptions stack = stack_of(options);
    check(stack);
    reduction_ = int64_t{1} << stack.downsamplings();
    if (options.height < reduction_ || options.width < reduction_ ||
        options.height % reduction_ != 0 || options.width % reduction_ != 0) {
      throw Error(
          "autoencoder_kl",
          fmt::format("expected sides divisible by {} ({} stages), found {} x {}; use fewer "
                      "stages or other frames",
                      reduction_, options.widths.size(), options.height, options.width));
    }
    if (!(options.latent_scale > 0)) {
      throw Error("autoencoder_kl", fmt::format("latent scale: expected a positive number, found "
                                                "{}",
                                                options.latent_scale));
    }
    const int64_t latent = options.latent_channels;
    encoder_ = register_module("encoder", ConvEncoder(stack));
    quant_conv_ = register_module("quant_conv", same_convolution(2 * latent, 2 * latent, 1));
    post_quant_conv_ = register_module("post_quant_conv", same_convolution(latent, latent, 1));
    decoder_ = register_module("decoder", ConvDecoder(stack));
  }

  Posterior posterior(const torch::Tensor& frames) override {
    check_frames(frames, frame_shape());
    return make_posterior(quant_conv_(encoder_(frames)), options_.latent_scale);
  }

  torch::Tensor decode(const torch::Tensor& latents) override {
    check_latents(latents, latent_shape());
    return decoder_(post_quant_conv_(latents / options_.latent_scale));
  }

  FrameShape frame_shape() const override {
    return {options_.image_channels, options_.height, options_.width};
  }

  FrameShape latent_shape() const override {
    return {options_.latent_channels, options_.height / reduction_, options_.width / reduction_};
  }

  double prior_std() const override { return options_.latent_scale; }

 private:
  AutoencoderKlOptions options_;
  int64_t reduction_ = 1;  // pixels of a frame's side per latent entry
  ConvEncoder encoder_{nullptr};
  ConvDecoder decoder_{nullptr};
  torch::nn::Conv2d quant_conv_{nullptr}, post_quant_conv_{nullptr};
};

// diffusers renamed the attention's layers in 2023; published files keep the names they had.
std::string older_name(const std::string& name) {
  static const std::pair<std::string, std::string> renamed[] = {{".to_q.", ".query."},
                                                                {".to_k.", ".key."},
                                                                {".to_v.", ".value."},
                                                                {".to_out.0.", ".proj_attn."}};
  for (const auto& [now, before] : renamed) {
    const size_t at = name.find(now);
    if (at != std::string::npos) return std::string(name).replace(at, now.size(), before);
  }
  return name;
}

}  // namespace

std::shared_ptr<CodecNetwork> make_autoencoder_kl(const AutoencoderKlOptions& options) {
  return std::make_shared<AutoencoderKl>(options);
}

void read_autoencoder_kl(const std::filesystem::path& path, CodecNetwork& network) {
  const bool older = SafetensorsFile(path).contains("encoder.mid_block.attentions.0.query.weight");
  if (older) {
    read_module(path, network, older_name);
  } else {
    read_module(path, network);
  }
}

}  // namespace roundtrip

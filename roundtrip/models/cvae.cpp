// Fields are folded into the batch, (B, C, H, W) -> (B C, 1, H, W), so that one network sees them
// all and the one-hot vector is what tells them apart.
#include "roundtrip/models/cvae.h"

#include <fmt/format.h>
#include <torch/types.h>

#include "roundtrip/base/error.h"
#include "roundtrip/nn/conv_decoder.h"
#include "roundtrip/nn/conv_encoder.h"
#include "roundtrip/nn/patch_pca.h"
#include "roundtrip/nn/residual_block.h"

namespace roundtrip {
namespace {

constexpr double kStartLogVariance = -6;  // noise of 5 percent of a unit latent

ConvStackOptions stack_of(const CvaeOptions& options) {
  ConvStackOptions stack;
  stack.image_channels = options.patch * options.patch;
  stack.latent_channels = options.latent_channels;
  stack.stem = options.stem;
  stack.widths = options.widths;
  stack.blocks = options.blocks;
  stack.heads = options.heads;
  stack.groups = options.groups;
  stack.condition = options.fields;
  return stack;
}

// Pixels of a frame's side per latent entry.
int64_t reduction(const CvaeOptions& options) { return options.patch << options.widths.size(); }

void check(const CvaeOptions& options) {
  if (options.fields < 1 || options.patch < 1) {
    throw Error("cvae", fmt::format("expected at least one field and one pixel per patch, found {} "
                                    "and {}",
                                    options.fields, options.patch));
  }
  check(stack_of(options));
  const int64_t unit = reduction(options);
  if (options.height < unit || options.width < unit || options.height % unit != 0 ||
      options.width % unit != 0) {
    throw Error("cvae", fmt::format("expected sides divisible by {} ({} stages, patch {}), found "
                                    "{} x {}; use fewer stages or other frames",
                                    unit, options.widths.size(), options.patch, options.height,
                                    options.width));
  }
}

class Cvae : public CodecNetwork {
 public:
  explicit Cvae(const CvaeOptions& options) : options_(options) {
    check(options);
    encoder_ = register_module("encoder", ConvEncoder(stack_of(options)));
    decoder_ = register_module("decoder", ConvDecoder(stack_of(options)));
    if (options.linear_path) add_linear_path();
  }

  Posterior posterior(const torch::Tensor& frames) override {
    check_frames(frames, frame_shape());
    const int64_t batch = frames.size(0);
    torch::Tensor images = frames.reshape({-1, 1, options_.height, options_.width});
    if (options_.patch > 1) images = torch::pixel_unshuffle(images, options_.patch);
    const auto [mean, log_variance] = make_posterior(encoder_(images, one_hot(frames)));
    const FrameShape shape = latent_shape();
    const auto stacked = [&](const torch::Tensor& x) {  // (B C, f, h, w) -> (B, C f, h, w)
      return x.reshape({batch, shape.channels, shape.height, shape.width});
    };
    if (linear_encoder_.is_empty()) return {stacked(mean), stacked(log_variance)};
    return {stacked(mean) + linear_encoder_(frames), stacked(log_variance)};
  }

  torch::Tensor decode(const torch::Tensor& latents) override {
    check_latents(latents, latent_shape());
    const int64_t batch = latents.size(0);
    const torch::Tensor apart = latents.reshape(
        {batch * options_.fields, options_.latent_channels, latents.size(2), latents.size(3)});
    torch::Tensor images = decoder_(apart, one_hot(latents));
    if (options_.patch > 1) images = torch::pixel_shuffle(images, options_.patch);
    images = images.reshape({batch, options_.fields, options_.height, options_.width});
    return linear_decoder_.is_empty() ? images : images + linear_decoder_(latents);
  }

  FrameShape frame_shape() const override {
    return {options_.fields, options_.height, options_.width};
  }

  FrameShape latent_shape() const override {
    const int64_t unit = reduction(options_);
    return {options_.fields * options_.latent_channels, options_.height / unit,
            options_.width / unit};
  }

  void initialise(uint64_t seed) override {
    CodecNetwork::initialise(seed);
    for (const auto& module : modules()) {
      if (auto* film = module->as<Film>()) film->initialise_as_identity();
    }
  }

  void initialise_from(const torch::Tensor& frames) override {
    check_frames(frames, frame_shape());
    if (linear_encoder_.is_empty()) return;
    const torch::NoGradGuard no_grad;
    for (int64_t field = 0; field < options_.fields; ++field) {
      set_linear_path(field, patch_components(frames.select(/*dim=*/1, field), reduction(options_),
                                              options_.latent_channels));
    }
    silence_network();
  }

 private:
  void add_linear_path() {
    const int64_t unit = reduction(options_), fields = options_.fields;
    if (options_.latent_channels > unit * unit) {
      throw Error("cvae", fmt::format("linear path: expected at most {} latent channels per field, "
                                      "the pixels of a patch, found {}",
                                      unit * unit, options_.latent_channels));
    }
    const int64_t latent = fields * options_.latent_channels;
    linear_encoder_ = register_module(
        "linear_encoder",
        torch::nn::Conv2d(
            torch::nn::Conv2dOptions(fields, latent, unit).stride(unit).groups(fields)));
    linear_decoder_ = register_module(
        "linear_decoder",
        torch::nn::ConvTranspose2d(
            torch::nn::ConvTranspose2dOptions(latent, fields, unit).stride(unit).groups(fields)));
  }

  // Latents of unit variance along the components. The mean patch is subtracted before them; a
  // transposed convolution has one bias per field, so only the patch's mean level comes back.
  void set_linear_path(int64_t field, const PatchComponents& components) {
    const torch::Tensor level = components.mean.mean();
    for (int64_t i = 0; i < options_.latent_channels; ++i) {
      const int64_t channel = field * options_.latent_channels + i;
      const torch::Tensor direction = components.directions[i];
      const torch::Tensor deviation = components.deviations[i].clamp_min(1e-6);
      linear_encoder_->weight[channel][0].copy_(direction / deviation);
      linear_encoder_->bias[channel].copy_(-level * direction.sum() / deviation);
      linear_decoder_->weight[channel][0].copy_(direction * deviation);
    }
    linear_decoder_->bias[field].copy_(level);
  }

  // The correction starts at zero and the posterior narrow, so that the linear codec is not
  // drowned.
  void silence_network() {
    auto parameters = named_parameters();
    const int64_t latent = options_.latent_channels;
    parameters["encoder.conv_out.weight"].zero_();
    torch::Tensor bias = parameters["encoder.conv_out.bias"];
    bias.narrow(0, 0, latent).zero_();
    bias.narrow(0, latent, latent).fill_(kStartLogVariance);
    parameters["decoder.conv_out.weight"].zero_();
    parameters["decoder.conv_out.bias"].zero_();
  }

  // (B C, C), for a batch of frames or latents x; on its device, in its type.
  torch::Tensor one_hot(const torch::Tensor& x) const {
    return torch::eye(options_.fields, x.options().requires_grad(false)).repeat({x.size(0), 1});
  }

  CvaeOptions options_;
  ConvEncoder encoder_{nullptr};
  ConvDecoder decoder_{nullptr};
  torch::nn::Conv2d linear_encoder_{nullptr};
  torch::nn::ConvTranspose2d linear_decoder_{nullptr};
};

}  // namespace

std::shared_ptr<CodecNetwork> make_cvae(const CvaeOptions& options) {
  return std::make_shared<Cvae>(options);
}

ConvStackSize count_parameters(const CvaeOptions& options) {
  check(options);
  ConvStackSize size = count_parameters(stack_of(options));
  if (options.linear_path) {
    const int64_t unit = reduction(options);
    const int64_t latent = options.fields * options.latent_channels;
    size.encoder += latent * unit * unit + latent;
    size.decoder += latent * unit * unit + options.fields;
  }
  return size;
}

}  // namespace roundtrip

// O. Boer Bohan, TAESD (madebyollin/taesd): an autoencoder of plain 3x3 convolutions distilled from
// Stable Diffusion's, 1.2 M parameters each way. It works on pictures in [0, 1].
#include "roundtrip/models/taesd.h"

#include <fmt/format.h>
#include <torch/nn/modules/activation.h>
#include <torch/nn/modules/container/functional.h>
#include <torch/nn/modules/container/sequential.h>
#include <torch/nn/modules/conv.h>
#include <torch/nn/modules/upsampling.h>
#include <torch/types.h>

#include "roundtrip/base/error.h"
#include "roundtrip/nn/module_file.h"

namespace roundtrip {
namespace {

constexpr int64_t kColours = 3;
constexpr int64_t kStages = 3;  // that halve or double the sides
constexpr int64_t kReduction = int64_t{1} << kStages;
constexpr int64_t kBlocks = 3;  // of a stage
constexpr double kRange = 3;    // latents beyond it are squeezed before they are decoded

torch::nn::Conv2d convolution(int64_t inputs, int64_t outputs, int64_t stride = 1,
                              bool bias = true) {
  return torch::nn::Conv2d(
      torch::nn::Conv2dOptions(inputs, outputs, 3).stride(stride).padding(1).bias(bias));
}

torch::nn::ReLU rectifier() { return torch::nn::ReLU(torch::nn::ReLUOptions().inplace(true)); }

// ReLU(x + three convolutions of x). Key: conv.
class TaesdBlockImpl : public torch::nn::Module {
 public:
  explicit TaesdBlockImpl(int64_t channels)
      : conv_(register_module("conv",
                              torch::nn::Sequential(convolution(channels, channels), rectifier(),
                                                    convolution(channels, channels), rectifier(),
                                                    convolution(channels, channels)))) {}

  torch::Tensor forward(const torch::Tensor& x) { return conv_->forward(x).add_(x).relu_(); }

 private:
  torch::nn::Sequential conv_;
};
TORCH_MODULE(TaesdBlock);

torch::nn::Sequential make_encoder(const TaesdOptions& options) {
  const int64_t width = options.features;
  torch::nn::Sequential layers(convolution(kColours, width), TaesdBlock(width));
  for (int64_t stage = 0; stage < kStages; ++stage) {
    layers->push_back(convolution(width, width, /*stride=*/2, /*bias=*/false));
    for (int64_t i = 0; i < kBlocks; ++i) layers->push_back(TaesdBlock(width));
  }
  layers->push_back(convolution(width, options.latent_channels));
  return layers;
}

torch::Tensor squeeze_range(const torch::Tensor& latents) {
  return torch::tanh(latents / kRange) * kRange;
}

torch::nn::Sequential make_decoder(const TaesdOptions& options) {
  const int64_t width = options.features;
  torch::nn::Sequential layers(torch::nn::Functional(squeeze_range),
                               convolution(options.latent_channels, width), rectifier());
  for (int64_t stage = 0; stage < kStages; ++stage) {
    for (int64_t i = 0; i < kBlocks; ++i) layers->push_back(TaesdBlock(width));
    layers->push_back(torch::nn::Upsample(
        torch::nn::UpsampleOptions().scale_factor(std::vector<double>{2, 2})));  // nearest
    layers->push_back(convolution(width, width, /*stride=*/1, /*bias=*/false));
  }
  layers->push_back(TaesdBlock(width));
  layers->push_back(convolution(width, kColours));
  return layers;
}

class Taesd : public CodecNetwork {
 public:
  explicit Taesd(const TaesdOptions& options)
      : options_(options),
        encoder_(register_module("encoder", make_encoder(options))),
        decoder_(register_module("decoder", make_decoder(options))) {}

  Posterior posterior(const torch::Tensor& frames) override {
    check_frames(frames, frame_shape());
    const torch::Tensor mean = through(encoder_, (frames + 1) / 2);
    return {mean, torch::full_like(mean, kLowestLogVariance)};
  }

  torch::Tensor decode(const torch::Tensor& latents) override {
    check_latents(latents, latent_shape());
    return through(decoder_, latents) * 2 - 1;
  }

  FrameShape frame_shape() const override { return {kColours, options_.height, options_.width}; }
  FrameShape latent_shape() const override {
    return {options_.latent_channels, options_.height / kReduction, options_.width / kReduction};
  }

 private:
  // With channels innermost the convolutions need not reorder pictures: 1.3 times as fast.
  static torch::Tensor through(torch::nn::Sequential& layers, const torch::Tensor& x) {
    return layers->forward(x.contiguous(torch::MemoryFormat::ChannelsLast)).contiguous();
  }

  TaesdOptions options_;
  torch::nn::Sequential encoder_, decoder_;
};

}  // namespace

std::shared_ptr<CodecNetwork> make_taesd(const TaesdOptions& options) {
  const auto good = [](int64_t side) { return side >= kReduction && side % kReduction == 0; };
  if (!good(options.height) || !good(options.width)) {
    throw Error("taesd", fmt::format("expected sides divisible by {}, found {} x {}; set "
                                     "data.height and data.width",
                                     kReduction, options.height, options.width));
  }
  return std::make_shared<Taesd>(options);
}

void read_taesd(const std::filesystem::path& path, CodecNetwork& network) {
  if (std::filesystem::is_directory(path)) {
    for (const char* part : {"encoder", "decoder"}) {
      const auto file = path / fmt::format("taesd_{}.safetensors", part);
      if (!std::filesystem::exists(file)) {
        throw Error("taesd", fmt::format("{}: expected taesd_encoder.safetensors and "
                                         "taesd_decoder.safetensors, found no {}; get them from "
                                         "madebyollin/taesd (docs/how-to/faces.md)",
                                         path.string(), file.filename().string()));
      }
      read_module(file, *network.named_children()[part]);
    }
    return;
  }
  const SafetensorsFile file(path);
  if (!file.contains("encoder.0.weight") || !file.contains("decoder.1.weight")) {
    throw Error("taesd", fmt::format("{}: expected encoder and decoder in one file (encoder.0..., "
                                     "decoder.1...), found neither or one of them; name the "
                                     "folder with taesd_encoder.safetensors and "
                                     "taesd_decoder.safetensors",
                                     path.string()));
  }
  read_module(path, network);
}

}  // namespace roundtrip

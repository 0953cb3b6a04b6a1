#include "roundtrip/models/identity_codec.h"

#include <torch/types.h>

namespace roundtrip {
namespace {

class IdentityCodec : public CodecNetwork {
 public:
  explicit IdentityCodec(const FrameShape& shape) : shape_(shape) {}

  Posterior posterior(const torch::Tensor& frames) override {
    check_frames(frames, shape_);
    // Not minus infinity: a variance of a frame's own rounding keeps the KL finite and tells
    // channels that never change from those that do.
    return {frames, torch::full_like(frames, kLowestLogVariance)};
  }

  torch::Tensor decode(const torch::Tensor& latents) override {
    check_latents(latents, latent_shape());
    return latents;
  }

  FrameShape frame_shape() const override { return shape_; }
  FrameShape latent_shape() const override { return shape_; }

 private:
  FrameShape shape_;
};

}  // namespace

std::shared_ptr<CodecNetwork> make_identity_codec(const FrameShape& shape) {
  return std::make_shared<IdentityCodec>(shape);
}

}  // namespace roundtrip

#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "roundtrip/models/codec_network.h"
#include "roundtrip/nn/conv_stack.h"

namespace roundtrip {

/// Sizes of the field-conditioned autoencoder. The defaults are the paper's for MHD.
struct CvaeOptions {
  int64_t fields = 6;           // images per frame, and the length of the one-hot vector
  int64_t height = 512;         // divisible by patch * 2^stages, and so is the width
  int64_t width = 512;          // rectangles are fine
  int64_t latent_channels = 4;  // per field; a frame's latent has fields * latent_channels
  int64_t stem = 32;            // channels of the first convolution
  std::vector<int64_t> widths = {64, 128, 256, 512, 1024};  // channels of the stages, finest first
  int64_t blocks = 1;   // residual blocks per stage of the encoder; the decoder has one more
  int64_t heads = 8;    // of the attention at the bottleneck
  int64_t groups = 32;  // of the normalisations
  int64_t patch = 1;    // p: p x p pixels enter the stem as channels, which makes all p^2 cheaper
  bool linear_path = false;  // adds a linear codec of patches, one per field, around the network
};

/// A variational autoencoder shared by all fields: each field is a single-channel image with its
/// one-hot index, which modulates every residual block; latents of the fields are stacked in
/// channel order.
///
/// With the linear path, initialise_from() makes it the best linear codec (the principal components
/// of a field's patches) and the rest its correction, which begins at zero: training starts from a
/// codec that works.
std::shared_ptr<CodecNetwork> make_cvae(const CvaeOptions& options);

/// Parameters of the encoder and the decoder, without building them.
ConvStackSize count_parameters(const CvaeOptions& options);

}  // namespace roundtrip

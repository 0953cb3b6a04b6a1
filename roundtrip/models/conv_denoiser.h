#pragma once

#include <cstdint>
#include <memory>

#include "roundtrip/models/denoiser.h"

namespace roundtrip {

/// An Error that says what to change where channels, dilations or padding do not fit the grid.
void check_conv_denoiser(const DenoiserConfig& config, const LatentGrid& grid);

/// A residual convolutional denoiser, with the initial weights of `seed`. Until it is trained it
/// returns zeros.
///
/// The noised target, the contexts and (with `anchor`) the anchor are channels of one image. A
/// stem, `blocks` residual blocks of two 3 x 3 convolutions, dilated in turn, each modulated by
/// noise level, time index and direction (FiLM), and a last convolution. With more than one entry
/// in `channels` it is a U-Net: the grid is halved before each further resolution, and on the way
/// up what was there before is added. Edges are padded as the data's boundary conditions ask.
std::shared_ptr<Denoiser> make_conv_denoiser(const DenoiserConfig& config, const LatentGrid& grid,
                                             uint64_t seed);

/// Multiplications and additions of one call, per row of the batch (convolutions alone).
double conv_denoiser_flops(const DenoiserConfig& config, const FrameShape& latent);

}  // namespace roundtrip

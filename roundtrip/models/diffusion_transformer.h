#pragma once

#include <cstdint>
#include <memory>

#include "roundtrip/data/frame_shape.h"
#include "roundtrip/models/denoiser.h"

namespace roundtrip {

/// Throws an Error that says what to change where the sizes do not fit together.
void check_transformer(const DenoiserConfig& config, const FrameShape& latent);

/// Tokens of one sequence.
int64_t transformer_tokens(const DenoiserConfig& config, const FrameShape& latent);

/// Trained numbers of the network, without building it.
int64_t transformer_parameters(const DenoiserConfig& config, const FrameShape& latent);

/// Multiplications and additions of one call, per row of the batch (matrix products alone).
double transformer_flops(const DenoiserConfig& config, const FrameShape& latent);

/// The diffusion transformer, with the initial weights of `seed`. Until it is trained it returns
/// zeros.
std::shared_ptr<Denoiser> make_diffusion_transformer(const DenoiserConfig& config,
                                                     const FrameShape& latent, uint64_t seed);

}  // namespace roundtrip

#pragma once

#include <memory>

#include "roundtrip/models/codec_network.h"

namespace roundtrip {

/// A codec network without parameters whose latents are the frames, for fields that are small
/// already and for models that work on fields. Its posterior is as narrow as log variances go.
std::shared_ptr<CodecNetwork> make_identity_codec(const FrameShape& shape);

}  // namespace roundtrip

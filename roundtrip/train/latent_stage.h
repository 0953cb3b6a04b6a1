#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "roundtrip/data/dataset.h"
#include "roundtrip/data/latent_cache.h"
#include "roundtrip/models/codec.h"
#include "roundtrip/models/codec_networks.h"

namespace roundtrip {

/// Called with the number of frames done since the last call.
using FramesDone = std::function<void(int64_t)>;

/// Changes whenever latents would: with the codec's kind, weights and scales and with the data.
std::string latent_fingerprint(const Codec& codec, const CodecConfig& config,
                               const Dataset& dataset);

/// Encodes the training split once: its posterior means, not standardised, go to a latent cache at
/// `raw`, and the statistics of each channel are returned.
std::vector<LatentChannel> encode_training(const std::filesystem::path& raw,
                                           const std::string& fingerprint, const Codec& codec,
                                           const Dataset& dataset, const FramesDone& done);

/// Writes the cache of standardised training latents from the raw ones, which it removes.
void standardise_training(const std::filesystem::path& raw, const std::string& raw_fingerprint,
                          const std::filesystem::path& path, const std::string& fingerprint,
                          const Codec& codec);

/// Encodes a split into a cache of standardised latents at `path`. Memory: one trajectory.
void write_latents(const std::filesystem::path& path, const std::string& fingerprint,
                   const Codec& codec, const Dataset& dataset, Split split, const FramesDone& done);

/// Root mean square of a step's change per latent channel, over all steps of the training split;
/// 1 for collapsed channels and those that never change.
std::vector<double> step_spread(const LatentCache& latents, const std::vector<int64_t>& collapsed);

}  // namespace roundtrip

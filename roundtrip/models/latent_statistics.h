#pragma once

#include <cstdint>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "roundtrip/metrics/moments.h"
#include "roundtrip/models/codec_network.h"

namespace roundtrip {

/// Per-channel scaling of latents: standardised = (latent - shift) / scale.
struct LatentStandardiser {
  std::vector<double> shift, scale;  // one per channel
  std::vector<int64_t> collapsed;    // channels that carry nothing, ascending: shift 0, scale 1
};

/// The standardiser that changes nothing and has no collapsed channel.
LatentStandardiser identity_standardiser(int64_t channels);

/// Statistics of one latent channel over the training split.
struct LatentChannel {
  double kl = 0;                  // mean KL divergence from the prior, nats per entry
  double mean = 0;                // of the posterior means
  double variance = 0;            // of the posterior means, over frames and cells
  double posterior_variance = 0;  // mean over frames and cells
  /// The means vary no more than the posterior is wide: it carries no information.
  bool collapsed() const { return variance <= posterior_variance; }
};

/// Zero mean and unit variance for every live channel. Collapsed ones stay as the network gives
/// them: dividing by their small spread would blow noise up to the size of a signal.
LatentStandardiser standardiser_of(const std::vector<LatentChannel>& channels);

/// A list of objects with the members' names, and back; numbers keep their bits.
nlohmann::ordered_json to_json(const std::vector<LatentChannel>& channels);
std::vector<LatentChannel> latent_channels_from_json(const nlohmann::ordered_json& json);

/// Collects posteriors batch by batch, in double precision; batching changes rounding only.
class LatentStatistics {
 public:
  explicit LatentStatistics(double prior_std = 1) : prior_std_(prior_std) {}

  void add(const Posterior& posterior);
  /// One entry per channel, in order.
  std::vector<LatentChannel> channels() const;

 private:
  double prior_std_;
  std::vector<Moments> means_, variances_, kls_;
};

}  // namespace roundtrip

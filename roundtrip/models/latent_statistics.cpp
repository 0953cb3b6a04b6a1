#include "roundtrip/models/latent_statistics.h"

#include <cmath>
#include <span>

#include <nlohmann/json.hpp>
#include <torch/types.h>
#include <torch/utils.h>

#include "roundtrip/base/error.h"

namespace roundtrip {
namespace {

// (B, F, h, w) into the moments of the F channels.
void add_channels(const torch::Tensor& values, std::vector<Moments>& moments) {
  const torch::Tensor rows = values.transpose(0, 1).flatten(/*start_dim=*/1).contiguous().cpu();
  moments.resize(rows.size(0));
  for (int64_t channel = 0; channel < rows.size(0); ++channel) {
    moments[channel].add(std::span<const double>(rows.data_ptr<double>() + channel * rows.size(1),
                                                 static_cast<size_t>(rows.size(1))));
  }
}

}  // namespace

LatentStandardiser identity_standardiser(int64_t channels) {
  return {std::vector<double>(channels, 0), std::vector<double>(channels, 1), {}};
}

void LatentStatistics::add(const Posterior& posterior) {
  const torch::NoGradGuard no_grad;
  const Posterior wide = {posterior.mean.to(torch::kFloat64),
                          posterior.log_variance.to(torch::kFloat64)};
  ensure(means_.empty() || static_cast<int64_t>(means_.size()) == wide.mean.size(1),
         "posteriors with the same channels");
  add_channels(wide.mean, means_);
  add_channels(wide.log_variance.exp(), variances_);
  add_channels(kl_divergence(wide, prior_std_), kls_);
}

std::vector<LatentChannel> LatentStatistics::channels() const {
  std::vector<LatentChannel> channels;
  for (size_t i = 0; i < means_.size(); ++i) {
    channels.push_back(
        {kls_[i].mean(), means_[i].mean(), means_[i].variance(), variances_[i].mean()});
  }
  return channels;
}

LatentStandardiser standardiser_of(const std::vector<LatentChannel>& channels) {
  LatentStandardiser standardiser = identity_standardiser(static_cast<int64_t>(channels.size()));
  for (size_t i = 0; i < channels.size(); ++i) {
    if (channels[i].collapsed()) {
      standardiser.collapsed.push_back(static_cast<int64_t>(i));
    } else {
      standardiser.shift[i] = channels[i].mean;
      standardiser.scale[i] = std::sqrt(channels[i].variance);
    }
  }
  return standardiser;
}

nlohmann::ordered_json to_json(const std::vector<LatentChannel>& channels) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const LatentChannel& channel : channels) {
    list.push_back({{"kl", channel.kl},
                    {"mean", channel.mean},
                    {"variance", channel.variance},
                    {"posterior_variance", channel.posterior_variance}});
  }
  return list;
}

std::vector<LatentChannel> latent_channels_from_json(const nlohmann::ordered_json& json) {
  std::vector<LatentChannel> channels;
  for (const auto& item : json) {
    channels.push_back(
        {item.at("kl"), item.at("mean"), item.at("variance"), item.at("posterior_variance")});
  }
  return channels;
}

}  // namespace roundtrip

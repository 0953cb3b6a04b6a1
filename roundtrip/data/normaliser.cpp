#include "roundtrip/data/normaliser.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <torch/types.h>

#include "roundtrip/base/error.h"
#include "roundtrip/data/scan.h"
#include "roundtrip/metrics/moments.h"

namespace roundtrip {
namespace {

constexpr int64_t kFramesAtOnce = 16;  // in memory in double precision

// In double: fields like a density of 34.8 +- 44 or a pressure of 0.94 +- 0.06 lose digits when
// shifted in float32.
template <class Map>
torch::Tensor in_double(const torch::Tensor& frames, const torch::TensorOptions& as,
                        const std::vector<double>& mean, const std::vector<double>& std,
                        const Map& map) {
  const auto channels = static_cast<int64_t>(mean.size());
  ensure(frames.dim() >= 3 && frames.size(-3) == channels, "normaliser: frames (..., C, H, W)");
  const auto per_channel = [&](const std::vector<double>& values) {
    return torch::tensor(values, frames.options().dtype(torch::kFloat64)).view({-1, 1, 1});
  };
  const torch::Tensor means = per_channel(mean), stds = per_channel(std);
  const torch::Tensor all = frames.reshape({-1, channels, frames.size(-2), frames.size(-1)});
  torch::Tensor result = torch::empty(all.sizes(), as);
  for (int64_t first = 0; first < all.size(0); first += kFramesAtOnce) {
    const int64_t count = std::min(kFramesAtOnce, all.size(0) - first);
    torch::Tensor piece =
        all.narrow(0, first, count).to(torch::kFloat64, /*non_blocking=*/false, /*copy=*/true);
    map(piece, means, stds);
    result.narrow(0, first, count).copy_(piece);
  }
  return result.view(frames.sizes());
}

}  // namespace

Normaliser::Normaliser(std::vector<double> mean, std::vector<double> std)
    : mean_(std::move(mean)), std_(std::move(std)) {
  const bool good =
      mean_.size() == std_.size() && !mean_.empty() &&
      std::all_of(mean_.begin(), mean_.end(), [](double x) { return std::isfinite(x); }) &&
      std::all_of(std_.begin(), std_.end(), [](double x) { return std::isfinite(x) && x > 0; });
  ensure(good, "normaliser: as many finite means as positive standard deviations");
}

Normaliser Normaliser::identity(int64_t channels) {
  const auto count = static_cast<size_t>(channels);
  return {std::vector<double>(count, 0.0), std::vector<double>(count, 1.0)};
}

torch::Tensor Normaliser::normalise(const torch::Tensor& frames,
                                    const torch::TensorOptions& as) const {
  return in_double(frames, as, mean_, std_,
                   [](torch::Tensor& x, const torch::Tensor& mean, const torch::Tensor& std) {
                     x.sub_(mean).div_(std);
                   });
}

torch::Tensor Normaliser::restore(const torch::Tensor& normalised,
                                  const torch::TensorOptions& as) const {
  return in_double(normalised, as, mean_, std_,
                   [](torch::Tensor& x, const torch::Tensor& mean, const torch::Tensor& std) {
                     x.mul_(std).add_(mean);
                   });
}

Normaliser fit_normaliser(const Dataset& dataset, int64_t threads,
                          const std::function<void(int64_t)>& frames_done) {
  require_split(dataset, Split::train);
  const FrameLayout& layout = dataset.layout();
  if (dataset.unit_range()) return Normaliser::identity(layout.channel_count());
  const auto channels = static_cast<size_t>(layout.channel_count());
  const auto points = static_cast<size_t>(layout.height * layout.width);
  const std::vector<FramePiece> pieces = frame_pieces(dataset, Split::train);
  // Pieces apart, then merged in their order: threads do not show.
  std::vector<std::vector<Moments>> parts(pieces.size(), std::vector<Moments>(channels));
  scan_frames(dataset, Split::train, pieces, threads, [&](size_t i, std::span<const float> values) {
    for (size_t at = 0; at < values.size(); at += points) {
      parts[i][at / points % channels].add(values.subspan(at, points));
    }
    if (frames_done) frames_done(pieces[i].count);
  });
  std::vector<double> mean, std;
  for (size_t c = 0; c < channels; ++c) {
    Moments all;
    for (const std::vector<Moments>& part : parts) all.merge(part[c]);
    mean.push_back(all.mean());
    const double resolution = std::ldexp(std::abs(all.mean()), -23);
    std.push_back(all.std_deviation() > resolution ? all.std_deviation() : 1.0);
  }
  return {std::move(mean), std::move(std)};
}

nlohmann::ordered_json to_json(const Normaliser& normaliser) {
  return {{"mean", normaliser.mean()}, {"std", normaliser.std()}};
}

Normaliser normaliser_from_json(const nlohmann::ordered_json& json, const std::string& where) {
  const auto numbers = [&](const char* name) {
    std::vector<double> values;
    const auto found = json.is_object() ? json.find(name) : json.end();
    if (found != json.end() && found->is_array()) {
      for (const auto& value : *found) {
        if (value.is_number()) values.push_back(value.get<double>());
      }
      if (values.size() == found->size()) return values;
    }
    throw Error("data",
                fmt::format("{}: normalisation {}: expected a list of numbers", where, name));
  };
  std::vector<double> mean = numbers("mean"), std = numbers("std");
  if (mean.empty() || mean.size() != std.size() ||
      std::any_of(std.begin(), std.end(), [](double x) { return !(x > 0); })) {
    throw Error("data",
                fmt::format("{}: normalisation: expected as many means as positive standard "
                            "deviations, found {} and {}",
                            where, mean.size(), std.size()));
  }
  return {std::move(mean), std::move(std)};
}

}  // namespace roundtrip

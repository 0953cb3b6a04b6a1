#include "roundtrip/data/latent_cache.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/types.h>

#include "roundtrip/base/error.h"

namespace roundtrip {
namespace fs = std::filesystem;

LatentCacheWriter::LatentCacheWriter(const fs::path& path, std::string fingerprint,
                                     std::vector<int64_t> lengths, const FrameShape& latent)
    : writer_(
          path,
          {.fingerprint = std::move(fingerprint), .lengths = std::move(lengths), .frame = latent}) {
}

void LatentCacheWriter::append(const torch::Tensor& latents) {
  const FrameFileInfo& info = writer_.info();
  ensure(next_ < info.lengths.size(), "latents: as many trajectories as announced");
  const std::vector<int64_t> expected = info.frame.sizes({info.lengths[next_]});
  ensure(latents.sizes().vec() == expected,
         fmt::format("latents: trajectory {} of shape ({}), found ({})", next_,
                     fmt::join(expected, ", "), fmt::join(latents.sizes().vec(), ", ")));
  const torch::Tensor values = latents.detach().to(torch::kCPU, torch::kFloat32).contiguous();
  if (!torch::isfinite(values).all().item<bool>()) {
    throw Error("latents", fmt::format("trajectory {}: expected finite latents, found NaN or "
                                       "infinity; train the codec anew",
                                       next_));
  }
  writer_.append({values.data_ptr<float>(), static_cast<size_t>(values.numel())});
  ++next_;
}

void LatentCacheWriter::finish() { writer_.finish(); }

LatentCache::LatentCache(const fs::path& path, const std::string& fingerprint) : file_(path) {
  if (file_.info().fingerprint == fingerprint) return;
  throw Error("latents", fmt::format("{}: made by another codec or from other data; encode again",
                                     path.string()));
}

std::optional<LatentCache> LatentCache::open_if_fits(const fs::path& path,
                                                     const std::string& fingerprint) {
  if (!fs::exists(path)) return std::nullopt;
  try {
    return LatentCache(path, fingerprint);
  } catch (const Error&) {
    return std::nullopt;
  }
}

torch::Tensor LatentCache::trajectory(int64_t index) const {
  ensure(index >= 0 && index < trajectories(), "latents: a trajectory of the cache");
  torch::Tensor values =
      torch::empty(latent().sizes({lengths()[static_cast<size_t>(index)]}), torch::kFloat32);
  std::copy_n(file_.frame(index, 0), values.numel(), values.data_ptr<float>());
  return values;
}

torch::Tensor LatentCache::frame(int64_t trajectory, int64_t index) const {
  torch::Tensor values = torch::empty(latent().sizes(), torch::kFloat32);
  std::copy_n(file_.frame(trajectory, index), values.numel(), values.data_ptr<float>());
  return values;
}

LatentBatch LatentCache::gather(std::span<const TrainingSample> samples) const {
  ensure(!samples.empty(), "latents: at least one sample");
  const auto count = static_cast<int64_t>(samples.size());
  const auto contexts = static_cast<int64_t>(samples.front().window.context.size());
  LatentBatch batch{.windows = {.context = torch::empty(latent().sizes({count, contexts})),
                                .anchor = torch::empty(latent().sizes({count})),
                                .target_index = torch::empty({count}, torch::kInt64),
                                .direction = torch::empty({count}, torch::kInt64)},
                    .target = torch::empty(latent().sizes({count}))};
  float* target = batch.target.data_ptr<float>();
  float* context = batch.windows.context.data_ptr<float>();
  float* anchor = batch.windows.anchor.data_ptr<float>();
  const auto copy = [&](int64_t trajectory, int64_t index, float*& out) {
    out = std::copy_n(file_.frame(trajectory, index), latent().size(), out);
  };
  for (int64_t b = 0; b < count; ++b) {
    const auto& [trajectory, window] = samples[static_cast<size_t>(b)];
    ensure(static_cast<int64_t>(window.context.size()) == contexts, "latents: windows of one size");
    copy(trajectory, window.target, target);
    for (const int64_t index : window.context) copy(trajectory, index, context);
    copy(trajectory, window.anchor, anchor);
    batch.windows.target_index.data_ptr<int64_t>()[b] = window.target;
    batch.windows.direction.data_ptr<int64_t>()[b] = window.direction;
  }
  return batch;
}

}  // namespace roundtrip

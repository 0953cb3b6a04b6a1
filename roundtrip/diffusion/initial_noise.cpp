// With `fixed`, a step of the surrogate is a genuine map, as the round trip's theory asks of it;
// the other keys are there to measure what that choice costs.
#include "roundtrip/diffusion/initial_noise.h"

#include <string>

#include <fmt/format.h>
#include <torch/types.h>

#include "roundtrip/base/error.h"
#include "roundtrip/nn/init.h"

namespace roundtrip {

const Catalog<NoiseKeyRow>& noise_keys() {
  static const Catalog<NoiseKeyRow> rows = {
      {"fixed", "one noise for every step, trajectory and direction", NoiseKey::fixed},
      {"target", "another noise for every target index", NoiseKey::target},
      {"direction", "another noise for every target index and direction", NoiseKey::direction},
  };
  return rows;
}

InitialNoise::InitialNoise(NoiseKey key, uint64_t seed, const FrameShape& frame,
                           torch::ScalarType type)
    : key_(key), seed_(seed), frame_(frame), type_(type) {}

torch::Tensor InitialNoise::initial(const std::vector<int64_t>& targets,
                                    const std::vector<int64_t>& directions) const {
  return draw("sampling.start", targets, directions);
}

torch::Tensor InitialNoise::step(int64_t call, const std::vector<int64_t>& targets,
                                 const std::vector<int64_t>& directions) const {
  return draw(fmt::format("sampling.step.{}", call), targets, directions);
}

torch::Tensor InitialNoise::draw(std::string_view purpose, const std::vector<int64_t>& targets,
                                 const std::vector<int64_t>& directions) const {
  ensure(!targets.empty() && targets.size() == directions.size(),
         "InitialNoise: expected one direction per target");
  if (key_ == NoiseKey::fixed) {
    return keyed_normal(frame_.sizes(), seed_, purpose, 0, type_)
        .unsqueeze(0)
        .expand(frame_.sizes({static_cast<int64_t>(targets.size())}));
  }
  const std::string keyed_purpose =
      fmt::format("{}.{}", purpose, key_ == NoiseKey::target ? "target" : "direction");
  std::vector<torch::Tensor> rows;
  for (size_t b = 0; b < targets.size(); ++b) {
    const auto target = static_cast<uint64_t>(targets[b]);
    const uint64_t index =
        key_ == NoiseKey::target ? target : 2 * target + (directions[b] > 0 ? 1 : 0);
    rows.push_back(keyed_normal(frame_.sizes(), seed_, keyed_purpose, index, type_));
  }
  return torch::stack(rows);
}

}  // namespace roundtrip

#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <torch/types.h>

#include "roundtrip/trust/measure.h"

namespace roundtrip {

/// One step of a rollout, with what its signals say.
struct LiveStep {
  int64_t depth = 0;
  torch::Tensor frame;          // (F, h, w), latent
  bool checked = false;         // whether this depth is one of those recorded
  std::vector<double> signals;  // of the meter's columns, when checked
};

/// A rollout under way: every call of `next` takes one step and pays for the return legs of that
/// depth. Whoever has seen enough stops calling. The numbers are those that `Meter::measure` gives,
/// to rounding.
class LiveMeter {
 public:
  /// Seeds are latents (K, F, h, w), the first of them frame `first_index`; `fields` (K, C, H, W)
  /// the physical frames, which `seed_codec` asks for. An Error when the meter asks for the truth.
  /// The meter outlives this.
  LiveMeter(const Meter& meter, const torch::Tensor& seeds, int64_t first_index = 0,
            const torch::Tensor& fields = {});
  ~LiveMeter();

  /// Whether the deepest depth has been reached.
  bool done() const;
  LiveStep next();
  /// Rows stepped so far: the cost, in steps.
  int64_t row_steps() const;

 private:
  const Meter& meter_;
  std::unique_ptr<LegPool> pool_;
  std::unique_ptr<Meter::Running> running_;
  int64_t depth_ = 0;
};

}  // namespace roundtrip

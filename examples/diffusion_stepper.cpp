// A trained bundle on data: every step of a rollout, with what the way back says about it, and an
// early stop where that becomes too much.
//   example_diffusion_stepper BUNDLE DATA [LIMIT]
#include <cstdlib>

#include <fmt/format.h>

#include "roundtrip/base/error.h"
#include "roundtrip/nn/compute_threads.h"
#include "roundtrip/trust/live_meter.h"

using namespace roundtrip;

int main(int argc, char** argv) {
  if (argc < 3) {
    fmt::print(stderr, "usage: example_diffusion_stepper BUNDLE DATA [LIMIT]\n");
    return 2;
  }
  const double limit = argc > 3 ? std::atof(argv[3]) : 1.0;
  try {
    use_all_threads();
    DataConfig data = data_config_of(argv[1]);
    data.path = argv[2];
    const auto dataset = open_dataset(data);
    const Surrogate surrogate = open_surrogate(
        {.model = argv[1], .codec = "identity", .contexts = 2, .settings = {}}, data, *dataset);
    const Meter meter(surrogate, {.depths = {1, 2, 4, 7}, .signals = {"round_trip", "local"}});
    const torch::Tensor frames =
        dataset->read(Split::test, /*trajectory=*/0, /*first=*/0, surrogate.stepper->contexts());
    for (LiveMeter live(meter, surrogate.codec->encode(frames)); !live.done();) {
      const LiveStep& step = live.next().front();
      if (!step.checked) continue;
      fmt::print("depth {:2}  C {:.4f}\n", step.depth, step.signals[0]);
      if (step.signals[0] > limit) {
        fmt::print("stopped: C is above {}\n", limit);
        break;
      }
    }
  } catch (const Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
}

// The meter on a model of your own, written in C++: anything with a forward and a backward step is
// a Stepper. Here both are the optimal predictors of a linear process, so theory gives the numbers.
#include "roundtrip/rollout/linear_stepper.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "roundtrip/models/identity_codec.h"
#include "roundtrip/trust/live_meter.h"

using namespace roundtrip;

int main() {
  const int64_t size = 16;
  const LinearGaussianModel process =
      make_linear_gaussian_model(size, {.slowest = 0.98, .fastest = 0.8, .non_normality = 0.3});

  // A surrogate: how frames become latents (here they are their own), and how latents step.
  Surrogate surrogate;
  surrogate.name = "linear";
  surrogate.layout = {"linear", std::vector<std::string>(size, "z"), 1, 1};
  surrogate.codec = std::make_shared<Codec>(
      make_identity_codec({size, 1, 1}),
      CodecScales{std::vector<double>(size, 0), std::vector<double>(size, 1),
                  identity_standardiser(size)});
  surrogate.stepper = make_linear_stepper(process, {size, 1, 1});

  const Meter meter(surrogate, {.depths = {1, 2, 5, 10, 20}, .signals = {"round_trip", "local"}});
  const torch::Tensor seed = torch::ones({1, size, 1, 1}, torch::kFloat64);
  fmt::print("columns: {}\n", fmt::join(meter.columns(), ", "));
  for (LiveMeter live(meter, seed); !live.done();) {
    const LiveStep& step = live.next().front();
    if (!step.checked) continue;
    fmt::print("depth {:2}  C {:.4f}   expected error of the best prediction {:.4f}\n", step.depth,
               step.signals[0], process.forward_error(step.depth));
  }
}

// The meter on a model trained elsewhere and saved by torch.jit.save. The program writes such a
// file first (a rotation of the plane, slightly wrong on the way back), then uses it as any user
// would.
#include "roundtrip/rollout/torchscript_stepper.h"

#include <cmath>
#include <filesystem>

#include <fmt/format.h>
#include <torch/script.h>

#include "roundtrip/models/identity_codec.h"
#include "roundtrip/trust/live_meter.h"

using namespace roundtrip;

namespace {

constexpr const char* kModel = R"(
def forward(self, window: Tensor, anchor: Tensor, target_index: Tensor, direction: Tensor) -> Tensor:
    angle = direction.float().view(-1, 1, 1) * torch.where(direction > 0, 0.2, 0.21).view(-1, 1, 1)
    x, y = window[:, -1, 0], window[:, -1, 1]
    return torch.stack([x * angle.cos() - y * angle.sin(), x * angle.sin() + y * angle.cos()], 1)
)";

}  // namespace

int main() {
  const auto path = std::filesystem::temp_directory_path() / "roundtrip_example.pt";
  torch::jit::Module module("rotation");
  module.define(kModel);
  module.save(path.string());

  const FrameShape frame{2, 1, 1};
  Surrogate surrogate;
  surrogate.name = "rotation";
  surrogate.layout = {"plane", {"x", "y"}, 1, 1};
  surrogate.codec = std::make_shared<Codec>(make_identity_codec({2, 1, 1}),
                                            CodecScales{{0, 0}, {1, 1}, identity_standardiser(2)});
  surrogate.stepper = make_torchscript_stepper(path.string(), frame, /*contexts=*/2);
  std::filesystem::remove(path);

  const Meter meter(surrogate, {.depths = {1, 5, 10, 20}, .signals = {"round_trip"}});
  torch::Tensor seeds = torch::zeros({2, 2, 1, 1});
  for (int64_t t = 0; t < 2; ++t) {
    seeds[t][0] = std::cos(0.2 * static_cast<double>(t));
    seeds[t][1] = std::sin(0.2 * static_cast<double>(t));
  }
  for (LiveMeter live(meter, seeds); !live.done();) {
    const LiveStep& step = live.next().front();
    if (step.checked) fmt::print("depth {:2}  C {:.6f}\n", step.depth, step.signals[0]);
  }
}

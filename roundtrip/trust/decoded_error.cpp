#include "roundtrip/trust/decoded_error.h"

#include "roundtrip/base/error.h"

namespace roundtrip {
namespace {

class DecodedError final : public Signal {
 public:
  DecodedError(const SignalSetup& setup, MeasuredRun& run) : Signal(setup, run) {
    ensure(setup.codec != nullptr, "fields: a codec");
  }

  // All depths at once: the codec works in batches of its own.
  void ended() override {
    const torch::Tensor positions =
        torch::tensor(run().depths) + (run().rollout.initial_frames - 1);
    const torch::Tensor decoded =
        setup().codec->decode(run().rollout.frames.index_select(0, positions).to(torch::kFloat32));
    const torch::Tensor errors =
        (decoded.to(torch::kFloat64) - run().fields.index_select(0, positions).to(torch::kFloat64))
            .square()
            .mean({2, 3});  // (depths, C)
    for (size_t i = 0; i < run().depths.size(); ++i) {
      for (size_t c = 0; c < setup().layout.channels.size(); ++c) {
        run().record("E_" + setup().layout.channels[c], run().depths[i],
                     errors[static_cast<int64_t>(i)][static_cast<int64_t>(c)].item<double>());
      }
    }
  }
};

}  // namespace

std::unique_ptr<Signal> make_decoded_error(const SignalSetup& setup, MeasuredRun& run) {
  return std::make_unique<DecodedError>(setup, run);
}

}  // namespace roundtrip

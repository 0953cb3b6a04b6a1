#include "roundtrip/trust/seed_controls.h"

#include <ATen/TensorIndexing.h>

#include "roundtrip/base/error.h"

namespace roundtrip {
namespace {

constexpr int64_t kNeighbours = 10;

// One number of the seed frames, at every depth.
class SeedControl : public Signal {
 public:
  SeedControl(const SignalSetup& setup, MeasuredRun& run, const char* column)
      : Signal(setup, run), column_(column) {}

  void begin() final { value_ = value(); }
  void reached(int64_t depth) final {
    if (run().recorded(depth)) run().record(column_, depth, value_);
  }

 protected:
  virtual double value() const = 0;
  torch::Tensor seed_frames() const {
    return run().rollout.frames.narrow(0, 0, run().rollout.initial_frames);
  }

 private:
  const char* column_;
  double value_ = 0;
};

class SeedStep final : public SeedControl {
 public:
  SeedStep(const SignalSetup& setup, MeasuredRun& run) : SeedControl(setup, run, "seed_step") {
    if (run.rollout.initial_frames < 2) {
      throw Error("signal", "seed_step: expected at least 2 seed frames, found 1; leave it out");
    }
  }
  double value() const override { return error().mse(seed_frames()[-2], seed_frames()[-1]); }
};

class SeedNeighbours final : public SeedControl {
 public:
  SeedNeighbours(const SignalSetup& setup, MeasuredRun& run) : SeedControl(setup, run, "seed_knn") {
    if (!setup.training_windows) {
      throw Error("signal",
                  "seed_knn: expected seed frames of training trajectories to compare with, "
                  "found none; leave it out");
    }
  }
  double value() const override {
    const torch::Tensor known = setup().training_windows();  // (N, K, F, h, w)
    torch::Tensor distances =
        (error().entries(known) - error().entries(seed_frames())).square().mean({1, 2});
    // A training trajectory is no neighbour of itself: encoded in another batch it is off by
    // rounding, 1e-12 in a mean square of numbers of size one; others are 1e-6 away and more.
    distances = distances.index({distances > 1e-9});
    if (distances.numel() == 0) {
      throw Error("signal",
                  "seed_knn: expected training trajectories other than this one, found "
                  "none; leave it out");
    }
    const int64_t count = std::min(kNeighbours, distances.size(0));
    return std::get<0>(distances.topk(count, /*dim=*/0, /*largest=*/false)).mean().item<double>();
  }
};

class SeedCodec final : public SeedControl {
 public:
  SeedCodec(const SignalSetup& setup, MeasuredRun& run) : SeedControl(setup, run, "seed_codec") {
    ensure(setup.codec != nullptr, "seed_codec: a codec");
    if (!run.fields.defined()) {
      throw Error("signal",
                  "seed_codec: expected the fields of the seed frames besides their latents, found "
                  "none; leave it out");
    }
  }
  double value() const override {
    const torch::Tensor truth = run().fields.narrow(0, 0, run().rollout.initial_frames);
    const torch::Tensor decoded = setup().codec->decode(seed_frames().to(torch::kFloat32));
    const torch::Tensor difference =
        setup().codec->normalise(decoded) - setup().codec->normalise(truth);
    return difference.to(torch::kFloat64).square().mean().item<double>();
  }
};

}  // namespace

std::unique_ptr<Signal> make_seed_step(const SignalSetup& setup, MeasuredRun& run) {
  return std::make_unique<SeedStep>(setup, run);
}

std::unique_ptr<Signal> make_seed_knn(const SignalSetup& setup, MeasuredRun& run) {
  return std::make_unique<SeedNeighbours>(setup, run);
}

std::unique_ptr<Signal> make_seed_codec(const SignalSetup& setup, MeasuredRun& run) {
  return std::make_unique<SeedCodec>(setup, run);
}

}  // namespace roundtrip

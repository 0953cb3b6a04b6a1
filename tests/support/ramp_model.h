#pragma once

#include <memory>

#include <nlohmann/json.hpp>
#include <torch/types.h>

#include "roundtrip/data/dataset.h"
#include "tests/support/linear_surrogate.h"

namespace roundtrip {

/// Frame t of trajectory k is, in every channel, a ramp plus t + 10 k. Calibration trajectories may
/// rise by another amount than 1 a frame.
class RampDataset final : public Dataset {
 public:
  RampDataset() = default;
  explicit RampDataset(double calibration_rise) : calibration_rise_(calibration_rise) {}
  explicit RampDataset(const std::vector<std::string>& channels) { layout_.channels = channels; }

  const FrameLayout& layout() const override { return layout_; }
  int64_t trajectories(Split) const override { return 2; }
  int64_t frames(Split, int64_t) const override { return 12; }
  bool random_access() const override { return true; }
  std::string split_rule() const override { return "none"; }
  nlohmann::ordered_json provenance() const override { return {}; }

 protected:
  void read_frames(Split split, int64_t trajectory, int64_t first, int64_t count,
                   std::span<float> out) const override {
    const double rise = split == Split::calibration ? calibration_rise_ : 1;
    size_t at = 0;
    for (int64_t t = first; t < first + count; ++t) {
      for (size_t c = 0; c < layout_.channels.size(); ++c) {
        for (int64_t i = 0; i < 12; ++i) {
          const double start = static_cast<double>(i + 10 * trajectory);
          out[at++] = static_cast<float>(start + rise * static_cast<double>(t));
        }
      }
    }
  }

 private:
  double calibration_rise_ = 1;
  FrameLayout layout_{"ramp", {"height"}, 3, 4};
};

/// A step forward adds `gain`, a step back takes one away: right when the gain is 1.
class RampStepper final : public Stepper {
 public:
  explicit RampStepper(double gain) : gain_(gain) {}
  torch::Tensor step(const FrameWindows& inputs) override {
    const torch::Tensor change = torch::where(inputs.direction > 0, gain_, -1.0);
    return inputs.context.select(1, -1) + change.view({-1, 1, 1, 1}).to(torch::kFloat32);
  }
  int64_t contexts() const override { return 2; }
  FrameShape frame() const override { return {1, 3, 4}; }

 private:
  double gain_;
};

inline Surrogate ramp_surrogate(double gain) {
  Surrogate surrogate = surrogate_of(std::make_shared<RampStepper>(gain));
  surrogate.layout = {"ramp", {"height"}, 3, 4};
  return surrogate;
}

/// Sample s of the ramp's model adds 1.5 + s / 10 a step.
inline Surrogate sampled_ramp() {
  Surrogate surrogate = ramp_surrogate(1.5);
  surrogate.sample = [](int64_t sample, bool) {
    return std::make_shared<RampStepper>(1.5 + static_cast<double>(sample) / 10);
  };
  return surrogate;
}

}  // namespace roundtrip

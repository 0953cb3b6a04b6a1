#include "roundtrip/evidence/field_records.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <torch/types.h>

#include "tests/support/linear_surrogate.h"

namespace roundtrip {
namespace {

// Frame t of trajectory k is a ramp plus t + 10 k.
class RampDataset final : public Dataset {
 public:
  const FrameLayout& layout() const override { return layout_; }
  int64_t trajectories(Split split) const override { return split == Split::test ? 2 : 0; }
  int64_t frames(Split, int64_t) const override { return 12; }
  bool random_access() const override { return true; }
  std::string split_rule() const override { return "none"; }
  nlohmann::ordered_json provenance() const override { return {}; }

 protected:
  void read_frames(Split, int64_t trajectory, int64_t first, int64_t count,
                   std::span<float> out) const override {
    size_t at = 0;
    for (int64_t t = first; t < first + count; ++t) {
      for (int64_t i = 0; i < 12; ++i) out[at++] = static_cast<float>(i + t + 10 * trajectory);
    }
  }

 private:
  FrameLayout layout_{"ramp", {"height"}, 3, 4};
};

// A step forward adds `gain`, a step back takes one away: right when the gain is 1.
class RampStepper final : public Stepper {
 public:
  explicit RampStepper(double gain) : gain_(gain) {}
  torch::Tensor step(const PredictionInputs& inputs) override {
    const torch::Tensor change = torch::where(inputs.direction > 0, gain_, -1.0);
    return inputs.context.select(1, -1) + change.view({-1, 1, 1, 1}).to(torch::kFloat32);
  }
  int64_t contexts() const override { return 2; }
  LatentShape frame() const override { return {1, 3, 4}; }

 private:
  double gain_;
};

// Values of a picture are steps of 1/254 of its range, here at most 11 + 12.
constexpr double kStep = 23.0 / 254;

Surrogate ramp_surrogate(double gain) {
  Surrogate surrogate = surrogate_of(std::make_shared<RampStepper>(gain));
  surrogate.layout = {"ramp", {"height"}, 3, 4};
  return surrogate;
}

TEST(FieldRecords, ARightModelShowsNoDifferenceAndReturns) {
  const TrajectoryFields shown =
      record_fields({.split = Split::test, .trajectory = 1, .depths = {1, 4, 10}, .label = "one"},
                    ramp_surrogate(1), RampDataset());
  EXPECT_EQ(shown.label, "one");
  ASSERT_EQ(shown.fields.size(), 1U);
  const FieldSeries& height = shown.fields[0];
  EXPECT_EQ(height.field, "height");
  ASSERT_EQ(height.frames.size(), 3U);
  for (const FieldFrame& frame : height.frames) {
    // Seeds are frames 0 and 1, so depth i is frame i + 1.
    EXPECT_NEAR(frame.truth->at(1, 2), 6 + 10 + frame.depth + 1, kStep);
    EXPECT_NEAR(frame.rollout->at(1, 2), 6 + 10 + frame.depth + 1, kStep);
    EXPECT_EQ(frame.difference->at(2, 3), 0);
    EXPECT_NEAR(frame.returned->at(1, 2), 6 + 10, kStep);
  }
  EXPECT_NEAR(height.seed->at(1, 2), 6 + 10, kStep);
}

TEST(FieldRecords, AWrongModelShowsHowWrong) {
  const TrajectoryFields shown =
      record_fields({.split = Split::test, .trajectory = 0, .depths = {2, 5}}, ramp_surrogate(1.5),
                    RampDataset());
  for (const FieldFrame& frame : shown.fields[0].frames) {
    const double error = 0.5 * static_cast<double>(frame.depth);
    EXPECT_NEAR(frame.difference->at(0, 0), error, 1e-5);
    // The way back starts at the frame before, which is 0.5 less off, and undoes one per step.
    EXPECT_NEAR(frame.returned->at(0, 0), error - 0.5, kStep);
  }
}

TEST(FieldRecords, BackwardStartsAtTheEnd) {
  const TrajectoryFields shown =
      record_fields({.split = Split::test, .trajectory = 0, .depths = {1, 10}, .direction = -1},
                    ramp_surrogate(1), RampDataset());
  const FieldSeries& height = shown.fields[0];
  EXPECT_NEAR(height.seed->at(0, 0), 11, kStep);
  EXPECT_NEAR(height.frames[0].truth->at(0, 0), 9, kStep);
  EXPECT_NEAR(height.frames[1].rollout->at(0, 0), 0, kStep);
  EXPECT_NEAR(height.frames[1].returned->at(0, 0), 11, kStep);
}

}  // namespace
}  // namespace roundtrip

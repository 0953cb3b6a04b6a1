#include "roundtrip/measurement/field_records.h"

#include <gtest/gtest.h>

#include "tests/support/ramp_model.h"

namespace roundtrip {
namespace {

// Values of a picture are steps of 1/254 of its range, here at most 11 + 12.
constexpr double kStep = 23.0 / 254;

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

// The ramp's codec changes nothing, so its latents are its fields under another name.
TEST(FieldRecords, LatentsAreShownAsTheyAre) {
  const auto shown = [](bool latent) {
    return record_fields(
        {.split = Split::test, .trajectory = 0, .depths = {1, 3}, .latent = latent},
        ramp_surrogate(1.5), RampDataset());
  };
  TrajectoryFields latents = shown(true);
  ASSERT_EQ(latents.fields.size(), 1U);
  EXPECT_EQ(latents.fields[0].field, "latent 0");
  latents.fields[0].field = "height";
  EXPECT_EQ(latents, shown(false));
}

}  // namespace
}  // namespace roundtrip

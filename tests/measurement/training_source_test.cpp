#include "roundtrip/measurement/training_source.h"

#include <gtest/gtest.h>

namespace roundtrip {
namespace {

// Stored at 0, 0.1, ..., 2.0; the training used every third.
TrainingSource strided_source() {
  TrainingSource source;
  source.overrides = {"frames=21", "end_time=2"};
  source.stored_frames = 21;
  source.end_time = 2;
  source.has_end_time = true;
  source.stride = 3;
  return source;
}

TEST(TrainingSource, TheFirstFramesKeepTheirTimes) {
  const auto settings = strided_source().first_frames(2);
  // Two frames of the training are four stored ones, the last at 0.3. Later settings win.
  EXPECT_EQ(settings[2], "frames=4");
  EXPECT_NEAR(std::stod(settings[3].substr(sizeof("end_time=") - 1)), 0.3, 1e-12);
}

TEST(TrainingSource, ASystemWithoutAClockGetsNone) {
  TrainingSource source = strided_source();
  source.overrides = {"frames=21"};
  source.has_end_time = false;
  const auto settings = source.first_frames(3);
  EXPECT_EQ(settings.back(), "frames=7");
}

}  // namespace
}  // namespace roundtrip

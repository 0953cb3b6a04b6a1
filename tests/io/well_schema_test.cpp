#include "roundtrip/io/well_schema.h"

#include <numeric>

#include <gmock/gmock.h>

namespace roundtrip {
namespace {

using ::testing::ElementsAre;

WellHeader box() {
  WellHeader header;
  header.n_trajectories = 5;
  header.time.coordinates = {0, 1};
  header.axes = {{.name = "x", .coordinates = {0, 1}},
                 {.name = "y", .coordinates = {0, 1, 2}},
                 {.name = "z", .coordinates = {0, 1, 2, 3}}};
  return header;
}

TEST(WellHeader, CountsAndNamesChannels) {
  WellHeader header = box();
  header.fields = {{.name = "p"}, {.name = "u", .order = 1}, {.name = "s", .order = 2}};
  EXPECT_EQ(header.channels(), 1 + 3 + 9);
  EXPECT_EQ(header.points(), 24);
  EXPECT_EQ(header.frame_size(), 13 * 24);
  EXPECT_THAT(header.channel_names(), ElementsAre("p", "u_x", "u_y", "u_z", "s_xx", "s_xy", "s_xz",
                                                  "s_yx", "s_yy", "s_yz", "s_zx", "s_zy", "s_zz"));
}

TEST(WellHeader, StoresOnlyWhatVaries) {
  const WellHeader header = box();
  EXPECT_THAT(header.stored_shape({.name = "p"}), ElementsAre(5, 2, 2, 3, 4));
  EXPECT_THAT(header.stored_shape({.name = "s", .order = 2, .sample_varying = false}),
              ElementsAre(2, 2, 3, 4, 3, 3));
  EXPECT_THAT(
      header.stored_shape(
          {.name = "u", .order = 1, .time_varying = false, .dim_varying = {true, false, true}}),
      ElementsAre(5, 2, 4, 3));
}

TEST(WellHeader, BoundariesLieAtBothEndsOfTheirAxis) {
  const WellBoundary boundary = boundary_of(box().axes[2], "WALL");
  EXPECT_EQ(boundary.name, "z_wall");
  EXPECT_EQ(boundary.type, "WALL");
  EXPECT_THAT(boundary.axes, ElementsAre("z"));
  EXPECT_THAT(boundary.mask, ElementsAre(1, 0, 0, 1));
}

// Along every subset of axes: planes hold the stored value of their place, and going back gives
// what was stored.
TEST(WellPlanes, RepeatAlongAxesWithoutVariation) {
  const WellHeader header = box();
  for (int subset = 0; subset < 8; ++subset) {
    const std::vector<bool> along{(subset & 1) != 0, (subset & 2) != 0, (subset & 4) != 0};
    const WellPlanes planes(header, {.name = "u", .order = 1, .dim_varying = along});
    EXPECT_EQ(planes.full(), subset == 7);
    std::vector<float> stored(static_cast<size_t>(planes.stored_size()));
    std::iota(stored.begin(), stored.end(), 1.0f);
    std::vector<float> values(3 * 24), back(stored.size());
    planes.to_planes(stored.data(), values.data());
    for (size_t c = 0; c < 3; ++c) {
      for (size_t point = 0; point < 24; ++point) {
        const size_t index[] = {point / 12, point / 4 % 3, point % 4};
        const size_t extent[] = {2, 3, 4};
        size_t place = 0;
        for (size_t d = 0; d < 3; ++d) {
          if (along[d]) place = place * extent[d] + index[d];
        }
        EXPECT_EQ(values[c * 24 + point], stored[place * 3 + c]);
      }
    }
    planes.from_planes(values.data(), back.data());
    EXPECT_EQ(back, stored);
  }
}

}  // namespace
}  // namespace roundtrip

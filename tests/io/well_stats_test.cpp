#include "roundtrip/io/well_stats.h"

#include <cmath>
#include <fstream>
#include <limits>

#include <gmock/gmock.h>

#include "tests/io/well_example.h"

namespace roundtrip {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::ThrowsMessage;

class WellStatsTest : public WellTest {
 protected:
  WellStats stats_of(const std::string& text) const {
    std::ofstream(file("stats.yaml")) << text;
    return read_well_stats(file("stats.yaml"));
  }
};

// The published statistics of turbulent_radiative_layer_2D (the_well, datasets/, stats.yaml).
TEST_F(WellStatsTest, ReadsThePublishedFile) {
  const WellStats stats = stats_of(R"(mean:
  density: 34.84718432796781
  pressure: 0.9447456207211498
  velocity:
  - 0.006170739785471594
  - -0.024651354061804114
mean_delta:
  density: 0.021029463637181414
  pressure: -0.0007941082717607825
  velocity:
  - -9.511171949496722e-05
  - -0.0003220113820712796
rms:
  density: 56.350711363855815
  pressure: 0.9467109628348639
  velocity:
  - 0.0422173392857518
  - 0.04706681454108639
rms_delta:
  density: 12.028800171612346
  pressure: 0.035386932791907126
  velocity:
  - 0.016923514231975516
  - 0.019898461420140894
std:
  density: 44.284042449004396
  pressure: 0.06097015072906125
  velocity:
  - 0.04176392829785388
  - 0.04009483475417495
std_delta:
  density: 12.028781789118977
  pressure: 0.03537802148893678
  velocity:
  - 0.016923246961522854
  - 0.0198958557382851
)");
  ASSERT_EQ(stats.fields.size(), 3u);
  const WellFieldStats& velocity = stats.field("velocity");
  EXPECT_EQ(velocity.order, 1);
  EXPECT_THAT(velocity.mean, ElementsAre(0.006170739785471594, -0.024651354061804114));
  EXPECT_THAT(velocity.std_delta, ElementsAre(0.016923246961522854, 0.0198958557382851));
  EXPECT_EQ(stats.field("density").order, 0);
  EXPECT_THAT(stats.field("density").rms, ElementsAre(56.350711363855815));
  // The definitions hold in the published numbers: rms^2 = mean^2 + std^2, to their last digits.
  for (const WellFieldStats& field : stats.fields) {
    for (size_t c = 0; c < field.mean.size(); ++c) {
      EXPECT_NEAR(std::hypot(field.mean[c], field.std[c]) / field.rms[c], 1, 1e-12);
      EXPECT_NEAR(std::hypot(field.mean_delta[c], field.std_delta[c]) / field.rms_delta[c], 1,
                  1e-12);
    }
  }
}

// Two trajectories and two files whose statistics can be had by hand.
TEST_F(WellStatsTest, ComputesWhatHandComputationGives) {
  WellHeader header;
  header.dataset_name = "hand";
  header.time.coordinates = {0, 1, 2};
  header.axes = {{.name = "x", .coordinates = {0, 1}}};
  header.fields = {{.name = "density"}, {.name = "velocity", .order = 1}};
  const auto write = [&](const char* name, const std::vector<std::vector<float>>& frames) {
    header.n_trajectories = static_cast<int64_t>(frames.size()) / 3;
    WellWriter writer(file(name), header);
    for (size_t i = 0; i < frames.size(); ++i) {
      writer.write_frame(static_cast<int64_t>(i / 3), static_cast<int64_t>(i % 3), frames[i]);
    }
    writer.finish();
  };
  // Frames are density at two points, then velocity_x at two points.
  write("data/train/a.hdf5",
        {{0, 2, 1, 1}, {1, 3, 1, 1}, {2, 4, 1, 1}, {0, 0, 1, 1}, {0, 0, 1, 1}, {0, 0, 1, 1}});
  write("data/train/b.hdf5", {{4, 8, 5, 5}, {4, 8, 5, 5}, {4, 8, 5, 5}});
  const WellStats stats = compute_well_stats(WellFolder(folder(), "train"));
  const WellFieldStats& density = stats.field("density");
  // 18 values: sum 12 + 36, sum of squares 34 + 240; 12 deltas, four of them 1.
  EXPECT_NEAR(density.mean[0], 48.0 / 18, 1e-15);
  EXPECT_NEAR(density.rms[0], std::sqrt(274.0 / 18), 1e-14);
  EXPECT_NEAR(density.std[0], std::sqrt(274.0 / 18 - 48.0 * 48 / 18 / 18), 1e-14);
  EXPECT_NEAR(density.mean_delta[0], 1.0 / 3, 1e-15);
  EXPECT_NEAR(density.rms_delta[0], std::sqrt(1.0 / 3), 1e-15);
  EXPECT_NEAR(density.std_delta[0], std::sqrt(2.0 / 9), 1e-15);
  EXPECT_NEAR(stats.field("velocity").mean[0], (12 * 1 + 6 * 5) / 18.0, 1e-15);
  EXPECT_EQ(stats.field("velocity").std_delta[0], 0.0);
}

// To the last bit: values are added in the same order, and deltas reach over the ends of windows.
TEST_F(WellStatsTest, WindowsDoNotShow) {
  write_example(file("data/train/a.hdf5"));
  const WellFolder split(folder(), "train");
  const WellStats whole = compute_well_stats(split);
  for (const int64_t floats : {1, 25, 50}) {  // a frame is 12 to 48 of them
    const WellStats parts = compute_well_stats(split, 1, {}, floats);
    ASSERT_EQ(parts.fields.size(), whole.fields.size());
    for (size_t f = 0; f < whole.fields.size(); ++f) {
      EXPECT_EQ(parts.fields[f].mean, whole.fields[f].mean);
      EXPECT_EQ(parts.fields[f].std, whole.fields[f].std);
      EXPECT_EQ(parts.fields[f].mean_delta, whole.fields[f].mean_delta);
      EXPECT_EQ(parts.fields[f].std_delta, whole.fields[f].std_delta);
    }
  }
}

TEST_F(WellStatsTest, ThreadsDoNotShowAndConstantsHaveNoDeltas) {
  write_example(file("data/train/a.hdf5"));
  write_example(file("data/train/b.hdf5"));
  const WellFolder split(folder(), "train");
  const std::string text = well_stats_yaml(compute_well_stats(split));
  EXPECT_EQ(text, well_stats_yaml(compute_well_stats(split, /*threads=*/3)));
  const WellStats stats = compute_well_stats(split);
  EXPECT_THAT(stats.field("ground").mean_delta, IsEmpty());
  EXPECT_THAT(stats.field("clock").mean_delta, ElementsAre(100));
  EXPECT_THAT(stats.field("stress").std_delta, ElementsAre(0, 0, 0, 0));
  if (!has_h5py()) GTEST_SKIP() << "no Python with h5py; set PYTHON to one";
  write_well_stats(file("stats.yaml"), stats);
  EXPECT_EQ(run_reference("stats", folder()), "");
}

TEST_F(WellStatsTest, TextIsTheWellsToTheByte) {
  WellStats stats;
  WellFieldStats density, velocity, stress;
  density.name = "density";
  density.mean = {34.84718432796781};
  density.std = {44.284042449004396};
  velocity.name = "velocity";
  velocity.order = 1;
  velocity.mean = {0.006170739785471594, -0.024651354061804114};
  velocity.std = {1, 0};
  stress.name = "no";  // YAML's word for false
  stress.order = 2;
  stress.mean = {1, 2, 3, 4};
  stress.std = {0.5, 0.5, 0.5, 0.5};
  stats.fields = {velocity, density, stress};
  EXPECT_EQ(well_stats_yaml(stats), R"(mean:
  density: 3.4847E+01
  'no':
  - - 1.0000E+00
    - 2.0000E+00
  - - 3.0000E+00
    - 4.0000E+00
  velocity:
  - 6.1707E-03
  - -2.4651E-02
mean_delta: {}
rms: {}
rms_delta: {}
std:
  density: 4.4284E+01
  'no':
  - - 5.0000E-01
    - 5.0000E-01
  - - 5.0000E-01
    - 5.0000E-01
  velocity:
  - 1.0000E+00
  - 0.0000E+00
std_delta: {}
)");
  write_well_stats(file("stats.yaml"), stats);
  const WellStats back = read_well_stats(file("stats.yaml"));
  EXPECT_EQ(back.field("no").order, 2);
  EXPECT_THAT(back.field("no").mean, ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(back.field("velocity").mean, ElementsAre(6.1707e-3, -2.4651e-2));
  EXPECT_THAT(back.field("velocity").rms, IsEmpty());
}

TEST_F(WellStatsTest, MistakesInTheFileAreNamed) {
  const auto message = [&](const std::string& text, const auto& matcher) {
    EXPECT_THAT([&] { stats_of(text); },
                ThrowsMessage<Error>(AllOf(HasSubstr("stats.yaml: "), matcher)));
  };
  message("", HasSubstr("found no keys"));
  message("- 1\n- 2\n", HasSubstr("found no keys"));
  message("mean: [1\n", HasSubstr("expected numbers in YAML"));
  message("mean: {density: high}\nstd: {density: 1}\n", HasSubstr("expected numbers in YAML"));
  message("mean: {density: 1}\n",
          HasSubstr("std: density: expected as many values as in mean (1), found 0"));
  message("mean: {u: [1, 2]}\nstd: {u: [1]}\n",
          HasSubstr("std: u: expected as many values as in mean (2), found 1"));
  message("mean: 3\nstd: 4\n", HasSubstr("mean: expected one entry per field"));
  message("{}\n", HasSubstr("found none"));
  message("mean: {u: .nan}\nstd: {u: 1}\n", HasSubstr("mean: u: expected a finite number, found"));
  message("mean: {u: 0}\nstd: {u: -1}\n",
          HasSubstr("std: u: expected a finite number of at least 0, found -1"));
  message("mean: {u: 0}\nstd: {u: .inf}\n", HasSubstr("std: u: expected a finite number"));
  message("mean: {u: []}\nstd: {u: []}\n", HasSubstr("an empty list"));
  message("mean: {u: [1, [2]]}\nstd: {u: [1, 1]}\n", HasSubstr("lists beside numbers"));
  EXPECT_THROW(read_well_stats(file("none.yaml")), Error);
  EXPECT_THAT([&] { stats_of("mean: {u: 1}\nstd: {u: 1}\n").field("v"); },
              ThrowsMessage<Error>(HasSubstr("u")));
}

// Aliases make a node hold itself, or a few lines stand for a billion numbers.
TEST_F(WellStatsTest, AliasesAreNotFollowedWithoutEnd) {
  const auto expect_error = [&](const std::string& text, const char* part) {
    EXPECT_THAT([&] { stats_of(text); }, ThrowsMessage<Error>(HasSubstr(part)));
  };
  expect_error("mean: {u: &a [*a]}\nstd: {u: 1}\n", "lists in lists of lists");
  std::string bomb = "mean:\n  u0: &u0 [1, 1, 1, 1, 1, 1, 1, 1, 1]\n";
  for (int i = 1; i < 10; ++i) {
    bomb += fmt::format("  u{}: &u{} [", i, i);
    for (int k = 0; k < 9; ++k) bomb += fmt::format("{}*u{}", k == 0 ? "" : ", ", i - 1);
    bomb += "]\n";
  }
  expect_error(bomb, "more than 9 values");
}

TEST_F(WellStatsTest, ValuesThatAreNotFiniteAreNamed) {
  WellHeader header = example_header();
  header.fields = {{.name = "density"}};
  WellWriter writer(file("data/train/a.hdf5"), header);
  std::vector<float> frame(12, 1.0f);
  for (int64_t i = 0; i < 6; ++i) {
    frame[3] = i == 4 ? std::numeric_limits<float>::quiet_NaN() : 1.0f;
    writer.write_frame(i / 3, i % 3, frame);
  }
  writer.finish();
  EXPECT_THAT([&] { compute_well_stats(WellFolder(folder(), "train")); },
              ThrowsMessage<Error>(AllOf(HasSubstr("a.hdf5: trajectory 1"), HasSubstr("density"))));
}

}  // namespace
}  // namespace roundtrip

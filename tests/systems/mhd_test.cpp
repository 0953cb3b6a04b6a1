#include "roundtrip/systems/mhd.h"

#include <cmath>
#include <ctime>
#include <numbers>
#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "roundtrip/base/threads.h"
#include "roundtrip/systems/mhd_average.h"
#include "roundtrip/systems/systems.h"
#include "support/error_of.h"

namespace roundtrip {
namespace {

using testing::HasSubstr;

struct MhdRun {
  std::vector<std::vector<float>> frames;
  SolveReport report;
};

MhdRun run_mhd(const System& system, const TrajectoryKey& key) {
  MhdRun out;
  out.report = system.solve(key, [&](int64_t frame, std::span<const float> values) {
    if (frame == 0) out.frames.clear();
    EXPECT_EQ(frame, static_cast<int64_t>(out.frames.size()));
    out.frames.emplace_back(values.begin(), values.end());
  });
  return out;
}

TEST(Mhd, PresetsHaveTheDocumentedSizes) {
  const DatasetLayout small = make_mhd("small", {})->layout(0);
  EXPECT_EQ(small.axes[0].coordinates.size(), 64u);
  EXPECT_EQ(small.times.size(), 100u);
  EXPECT_NEAR(small.times[1], 0.01, 1e-15);
  EXPECT_EQ(small.times.back(), 0.99);
  const DatasetLayout paper = make_mhd("paper", {})->layout(0);
  EXPECT_EQ(paper.axes[1].coordinates.size(), 512u);
  EXPECT_EQ(paper.times.size(), 100u);
  EXPECT_EQ(paper.times.front(), 0.0);
  EXPECT_EQ(paper.times.back(), 0.99);
}

TEST(Mhd, LayoutNamesFieldsAxesAndPressure) {
  const auto system = make_mhd("small", {"resolution=16", "frames=3", "end_time=0.2"});
  const DatasetLayout layout = system->layout(0);
  EXPECT_EQ(layout.dataset_name, "mhd");
  EXPECT_EQ(layout.channels(), 6);
  EXPECT_EQ(layout.frame_size(), 6 * 256);
  EXPECT_EQ(layout.fields[1].name, "pressure");
  EXPECT_EQ(layout.fields[3].name, "magnetic_field");
  EXPECT_EQ(layout.fields[3].components, 2);
  EXPECT_EQ(layout.axes[0].boundary, "PERIODIC");
  EXPECT_DOUBLE_EQ(layout.axes[1].coordinates[0], 1.0 / 32);
  EXPECT_EQ(layout.times, (std::vector<double>{0, 0.1, 0.2}));
  EXPECT_EQ(layout.parameters[0].first, "gamma");
  EXPECT_EQ(layout.notes[0].first, "pressure");
  EXPECT_THAT(layout.notes[0].second, HasSubstr("total"));
}

TEST(Mhd, FramesAreTheStatesAtTheOutputTimes) {
  const auto system = make_mhd("small", {"resolution=24", "initial=orszag_tang", "frames=3",
                                         "start_time=0.1", "end_time=0.3"});
  const MhdRun got = run_mhd(*system, {});
  ASSERT_EQ(got.frames.size(), 3u);
  const MhdGrid grid{24, 24, 1.0 / 24};
  MhdSolver solver(grid, {}, make_mhd_initial({.kind = "orszag_tang"}, 5.0 / 3, grid, {}));
  for (int k = 0; k < 3; ++k) {
    ASSERT_TRUE(solver.advance_to(0.1 * (k + 1)));
    const MhdFields fields = solver.fields();
    const std::vector<double>* channels[6] = {&fields.density,    &fields.total_pressure,
                                              &fields.velocity_x, &fields.velocity_y,
                                              &fields.field_x,    &fields.field_y};
    for (size_t channel = 0; channel < 6; ++channel) {
      for (size_t c = 0; c < 576; ++c) {
        ASSERT_NEAR(got.frames[k][channel * 576 + c], (*channels[channel])[c], 1e-6);
      }
    }
  }
  EXPECT_EQ(got.report.steps, solver.steps());
  EXPECT_EQ(got.report.redraws, 0);
}

TEST(Mhd, GasPressureIsTotalLessMagnetic) {
  const std::vector<std::string> base = {"resolution=16", "frames=2", "end_time=0.1"};
  auto with_gas = base;
  with_gas.push_back("pressure=gas");
  const auto total = run_mhd(*make_mhd("small", base), {}).frames[1];
  const auto gas = run_mhd(*make_mhd("small", with_gas), {}).frames[1];
  for (size_t c = 0; c < 256; ++c) {
    const float bx = total[4 * 256 + c], by = total[5 * 256 + c];
    ASSERT_NEAR(total[256 + c] - gas[256 + c], 0.5f * (bx * bx + by * by), 1e-6);
    ASSERT_EQ(total[c], gas[c]);
  }
}

TEST(Mhd, SolvingAtTheStoredResolutionChangesNoBit) {
  const std::vector<std::string> base = {"resolution=16", "frames=3", "end_time=0.1"};
  auto same = base;
  same.push_back("solve_resolution=16");
  EXPECT_EQ(run_mhd(*make_mhd("small", same), {}).frames,
            run_mhd(*make_mhd("small", base), {}).frames);
}

TEST(Mhd, FramesOfAFinerSolveAreItsCellAverages) {
  const auto system = make_mhd("small", {"resolution=8", "solve_resolution=24", "max_mode=2",
                                         "frames=2", "end_time=0.1", "pressure=gas"});
  EXPECT_EQ(system->layout(0).frame_size(), 6 * 64);
  EXPECT_DOUBLE_EQ(system->layout(0).axes[0].coordinates[1], 1.5 / 8);
  EXPECT_THAT(system->layout(0).notes.back().second, HasSubstr("solved on 24 x 24 cells"));
  const MhdRun got = run_mhd(*system, {5, "train", 0});
  const MhdGrid grid{24, 24, 1.0 / 24};
  MhdSolver solver(grid, {}, make_mhd_initial({.max_mode = 2}, 5.0 / 3, grid, {5, "train", 0}));
  ASSERT_TRUE(solver.advance_to(0.1));
  const MhdFields mean = average_cells(solver.fields(), grid, 3, 5.0 / 3);
  const std::vector<double>* channels[6] = {&mean.density,    &mean.gas_pressure, &mean.velocity_x,
                                            &mean.velocity_y, &mean.field_x,      &mean.field_y};
  for (size_t channel = 0; channel < 6; ++channel) {
    for (size_t c = 0; c < 64; ++c) {
      ASSERT_EQ(got.frames[1][channel * 64 + c], static_cast<float>((*channels[channel])[c]));
    }
  }
}

TEST(Mhd, SameKeySameBitsOnAnyThread) {
  const auto system = make_mhd("small", {"resolution=32", "frames=3", "end_time=0.3"});
  const MhdRun alone = run_mhd(*system, {3, "valid", 2});
  std::vector<MhdRun> together(4);
  parallel_for(4, 2, [&](int64_t i) { together[i] = run_mhd(*system, {3, "valid", i}); });
  EXPECT_EQ(together[2].frames, alone.frames);
  EXPECT_NE(together[1].frames, alone.frames);
  EXPECT_NE(run_mhd(*system, {3, "train", 2}).frames, alone.frames);
}

// Supersonic flow without a limiter: a good part of the states breaks down and is drawn again.
TEST(Mhd, BrokenStatesAreRedrawnAndCounted) {
  const auto system = make_mhd("small", {"resolution=16", "frames=3", "end_time=0.3",
                                         "limiter=false", "velocity_min=0.6", "velocity_max=1.2"});
  int64_t redraws = 0;
  for (int64_t index = 0; index < 8; ++index) {
    const MhdRun got = run_mhd(*system, {1, "train", index});
    ASSERT_EQ(got.frames.size(), 3u);
    for (const auto& frame : got.frames) {
      for (const float value : frame) ASSERT_TRUE(std::isfinite(value));
    }
    redraws += got.report.redraws;
  }
  EXPECT_GT(redraws, 0);
}

TEST(Mhd, GivesUpWithAdviceWhenNothingHolds) {
  const std::vector<std::string> torn = {"resolution=16", "frames=3", "end_time=1", "limiter=false",
                                         "velocity_scale=30"};
  EXPECT_THAT(error_of([&] { run_mhd(*make_mhd("small", torn), {}); }),
              HasSubstr("lower velocity_max, velocity_scale"));
  auto vortex = torn;
  vortex.push_back("initial=orszag_tang");
  EXPECT_THAT(error_of([&] { run_mhd(*make_mhd("small", vortex), {}); }),
              HasSubstr("the orszag_tang state broke down at t ="));
}

TEST(Mhd, FloorsAboveTheStartAreNamed) {
  for (const char* start : {"initial=random", "initial=orszag_tang"}) {
    const auto system = make_mhd("small", {"resolution=16", "density_floor=10", start});
    EXPECT_THAT(error_of([&] { run_mhd(*system, {}); }), HasSubstr("below density_floor = 10"));
  }
}

TEST(Mhd, OneFrameIsTheStateAtItsTime) {
  const auto one =
      make_mhd("small", {"resolution=16", "frames=1", "start_time=0.1", "end_time=0.1"});
  EXPECT_EQ(one->layout(0).times, std::vector<double>{0.1});
  const auto two =
      make_mhd("small", {"resolution=16", "frames=2", "start_time=0.1", "end_time=0.2"});
  const MhdRun single = run_mhd(*one, {}), pair = run_mhd(*two, {});
  ASSERT_EQ(single.frames.size(), 1u);
  EXPECT_EQ(single.frames[0], pair.frames[0]);
}

TEST(Mhd, BadSettingsAreNamed) {
  const auto message = [](const std::string& assignment) {
    return error_of([&] { make_mhd("small", {assignment}); });
  };
  EXPECT_THAT(message("resolutoin=64"), HasSubstr("resolution"));
  EXPECT_THAT(message("initial=vortex"), HasSubstr("kelvin_helmholtz"));
  EXPECT_THAT(message("end_time=0"), HasSubstr("more than start_time 0"));
  EXPECT_THAT(message("field_min=0.5"), HasSubstr("field_min = 0.5 exceeds field_max = 0.14"));
  EXPECT_THAT(message("density_min=2"), HasSubstr("density_min = 2 exceeds density_max = 1"));
  EXPECT_THAT(message("pressure_max=0.1"),
              HasSubstr("pressure_min = 0.6 exceeds pressure_max = 0.1"));
  EXPECT_THAT(message("density_min=0"), HasSubstr("density_min"));
  EXPECT_THAT(
      message("solve_resolution=100"),
      HasSubstr("expected a multiple of resolution 64, found 100; set solve_resolution=128"));
  EXPECT_THAT(message("solve_resolution=32"), HasSubstr("found 32"));
  EXPECT_THAT(message("frames=1"), HasSubstr("the same as start_time 0"));
  EXPECT_THAT(message("frames=1000001"), HasSubstr("frames"));
  EXPECT_THAT(message("resolution=8193"), HasSubstr("resolution"));
  EXPECT_THAT(error_of([] { make_mhd("large", {}); }), HasSubstr("small"));
}

TEST(Mhd, SettingsDocumentListsEverySetting) {
  const std::string document = make_mhd("paper", {"field_scale=2"})->settings();
  for (const char* line : {"resolution = 512", "field_scale = 2.0", "initial = ", "limiter = true",
                           "vector_potential = ", "velocity_max = 0.8", "density_min = 0.5",
                           "pressure_max = 1.2", "end_time = 0.99"}) {
    EXPECT_THAT(document, HasSubstr(line));
  }
}

// Settings as they were written before density, pressure and the solver's grid had any.
std::string older_settings(const std::vector<std::string>& overrides) {
  std::istringstream lines(make_mhd("small", overrides)->settings());
  std::string kept, line;
  while (std::getline(lines, line)) {
    const bool newer = line.starts_with("density_m") || line.starts_with("pressure_m") ||
                       line.starts_with("solve_resolution");
    if (!newer) kept += line + "\n";
  }
  return kept;
}

// Random states then had the vortex's density gamma^2/(4 pi) and gas pressure gamma/(4 pi).
TEST(Mhd, OlderSettingsMeanTheDistributionOfTheirTime) {
  const std::string recorded =
      older_settings({"density_contrast=0", "pressure_contrast=0", "field_min=0", "field_max=0",
                      "resolution=16", "frames=2", "end_time=0.01"});
  const auto system = make_mhd("small", recorded_overrides("mhd", recorded));
  const double gamma = 5.0 / 3;
  const auto density = static_cast<float>(gamma * gamma / (4 * std::numbers::pi));
  const auto pressure = static_cast<float>(gamma / (4 * std::numbers::pi));
  for (int64_t index = 0; index < 3; ++index) {
    const auto frame = run_mhd(*system, {0, "train", index}).frames[0];
    ASSERT_EQ(frame.size(), 6u * 256);
    for (size_t c = 0; c < 256; ++c) {
      ASSERT_EQ(frame[c], density);
      // The pressure comes back from the energy: one rounding each way.
      ASSERT_FLOAT_EQ(frame[256 + c], pressure);
    }
  }
}

// RMS difference of two frames over the standard deviation of the second, mean over the channels.
double frame_distance(const std::vector<float>& frame, const std::vector<float>& truth) {
  const size_t cells = truth.size() / 6;
  double sum = 0;
  for (size_t channel = 0; channel < 6; ++channel) {
    double mean = 0, square = 0, variance = 0;
    for (size_t c = channel * cells; c < (channel + 1) * cells; ++c) {
      mean += truth[c] / static_cast<double>(cells);
    }
    for (size_t c = channel * cells; c < (channel + 1) * cells; ++c) {
      square += (frame[c] - truth[c]) * (frame[c] - truth[c]);
      variance += (truth[c] - mean) * (truth[c] - mean);
    }
    sum += std::sqrt(square / variance) / 6;
  }
  return sum;
}

// The starts of the small preset solved on three grids and stored on 64 x 64 cells: a finer grid
// comes nearer the finest. The table is that of docs/reference/systems.md; seconds are of one core.
TEST(Mhd, SlowDistanceBetweenGridsFallsWithTheirSize) {
  const std::vector<int64_t> grids = {64, 128, 256};
  const std::vector<size_t> stored = {20, 59, 99};  // frames, 0.01 apart
  const int64_t count = 20;
  double seconds[3] = {}, distance[2][3] = {};
  for (int64_t index = 0; index < count; ++index) {
    std::vector<MhdRun> runs;
    for (size_t g = 0; g < grids.size(); ++g) {
      const auto system = make_mhd("small", {fmt::format("solve_resolution={}", grids[g])});
      const std::clock_t before = std::clock();
      runs.push_back(run_mhd(*system, {0, "train", index}));
      seconds[g] += static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC / count;
      ASSERT_EQ(runs[g].report.redraws, 0);  // another start would be another flow
    }
    for (size_t g = 0; g < 2; ++g) {
      for (size_t t = 0; t < stored.size(); ++t) {
        const size_t frame = stored[t];
        distance[g][t] += frame_distance(runs[g].frames[frame], runs[2].frames[frame]) / count;
      }
    }
  }
  for (size_t g = 0; g < grids.size(); ++g) {
    std::string line = fmt::format("| {} | {:.2f} |", grids[g], seconds[g]);
    for (size_t t = 0; g < 2 && t < stored.size(); ++t) {
      line += fmt::format(" {:.2f} |", distance[g][t]);
    }
    fmt::print("{}\n", line);
  }
  for (size_t t = 0; t < stored.size(); ++t) EXPECT_LT(distance[1][t], 0.75 * distance[0][t]);
}

}  // namespace
}  // namespace roundtrip

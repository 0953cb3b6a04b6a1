#include "roundtrip/rollout/rollout_file.h"

#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>

#include "roundtrip/io/hdf5_write.h"
#include "roundtrip/io/well_create.h"
#include "roundtrip/io/well_reader.h"
#include "tests/support/ramp_model.h"

namespace roundtrip {
namespace {

constexpr int64_t kFrame = 12;  // values of a ramp's frame
constexpr int64_t kFrames = 12;

// Value 0 of every frame that a rollout of trajectory 1 has, by a model that adds `gain` a step
// forward and takes 1 away a step back.
std::vector<float> written(double gain, int64_t direction, int64_t depth) {
  const auto path = std::filesystem::path(testing::TempDir()) / "rollout_file.hdf5";
  write_rollouts({.out = path, .depth = depth, .direction = direction, .force = true},
                 ramp_surrogate(gain), RampDataset(), {}, "test", [](int64_t, int64_t) {});
  const WellReader file(path);
  const int64_t frames = file.header().frames();
  std::vector<float> values(static_cast<size_t>(frames * kFrame)), firsts;
  file.read_window(/*trajectory=*/1, 0, frames, values);
  for (int64_t t = 0; t < frames; ++t) firsts.push_back(values[static_cast<size_t>(t * kFrame)]);
  return firsts;
}

// Frame t of trajectory 1 starts with 10 + t.
TEST(RolloutFile, ForwardFramesFollowTheSeeds) {
  const std::vector<float> found = written(1.5, +1, 4);
  EXPECT_EQ(found, (std::vector<float>{10, 11, 12.5, 14, 15.5, 17}));
}

TEST(RolloutFile, BackwardFramesStandBeforeTheSeedsInTheOrderOfTime) {
  const std::vector<float> found = written(1.5, -1, kFrames - 2);
  ASSERT_EQ(found.size(), static_cast<size_t>(kFrames));
  for (int64_t t = 0; t < kFrames; ++t) {
    EXPECT_EQ(found[static_cast<size_t>(t)], static_cast<float>(10 + t));
  }
}

TEST(RolloutFile, ForwardRolloutsMayGoBeyondTheData) {
  EXPECT_EQ(written(1, +1, 20).back(), 10 + 21);
}

// Data may have times of each trajectory's own, which are read but not written.
TEST(RolloutFile, DataWhoseTimesVaryGiveTheFirstTrajectorysTimes) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "rollout_file_varying";
  std::filesystem::create_directories(folder / "data" / "test");
  const RampDataset dataset;
  WellHeader header;
  header.dataset_name = "ramp";
  header.n_trajectories = 2;
  for (const std::string& channel : dataset.layout().channels) {
    header.fields.push_back({.name = channel});
  }
  header.axes = {{.name = "x", .coordinates = {0, 1, 2}},
                 {.name = "y", .coordinates = {0, 1, 2, 3}}};
  header.time.coordinates = {0, 1, 2};
  const auto data = folder / "data" / "test" / "a.hdf5";
  create_well_file(data, header);
  {
    const hdf5::Lock lock;
    const hdf5::Handle file(H5Fopen(data.c_str(), H5F_ACC_RDWR, H5P_DEFAULT));
    H5Ldelete(file.get(), "dimensions/time", H5P_DEFAULT);
    const hsize_t shape[] = {2, 3};
    const double times[] = {5, 6, 7, 1, 3, 5};
    const hdf5::Handle space(H5Screate_simple(2, shape, nullptr));
    const hdf5::Handle time(H5Dcreate2(file.get(), "dimensions/time", H5T_IEEE_F64LE, space.get(),
                                       H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    ASSERT_GE(H5Dwrite(time.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, times), 0);
    hdf5::write_flag(time.get(), "sample_varying", true);
  }
  const auto out = folder / "out.hdf5";
  write_rollouts({.out = out, .depth = 2, .direction = 1, .force = true}, ramp_surrogate(1),
                 dataset, {.path = folder.string()}, "test", [](int64_t, int64_t) {});
  const WellReader reader(out);
  EXPECT_EQ(reader.header().time.coordinates, (std::vector<double>{5, 6, 7, 8}));
  const auto& notes = reader.header().notes;
  EXPECT_EQ(std::ranges::count(notes, std::pair<std::string, std::string>(
                                          "unlike_the_data", "times are the first trajectory's")),
            1);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace roundtrip

// Every system through the door users take: a dataset on disk, read back.
#include "roundtrip/systems/generate.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "conformance/tiny_systems.h"
#include "roundtrip/io/clips.h"
#include "roundtrip/io/video_reader.h"
#include "roundtrip/io/well_folder.h"
#include "roundtrip/systems/systems.h"

namespace roundtrip {
namespace {

namespace fs = std::filesystem;

class Generate : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / ("roundtrip_generate_" + GetParam());
    fs::remove_all(folder_);
    system_ = make_system(GetParam(), "small", tiny_settings(GetParam()));
    request_ = {.folder = folder_,
                .size = {.train = 3, .valid = 2, .test = 1, .per_file = 2},
                .seed = 11,
                .shard = {},
                .threads = 2,
                .name = GetParam()};
  }
  void TearDown() override { fs::remove_all(folder_); }

  // Frame 2 of a training trajectory, solved again.
  std::vector<float> expected_frame(int64_t index) const {
    std::vector<float> wanted;
    system_->solve({request_.seed, "train", index}, [&](int64_t frame, std::span<const float> v) {
      if (frame == 2) wanted.assign(v.begin(), v.end());
    });
    return wanted;
  }

  fs::path folder_;
  std::unique_ptr<System> system_;
  GenerateRequest request_;
};

TEST_P(Generate, WhatIsOnDiskIsWhatTheSolverMade) {
  int64_t last_done = 0;
  const auto reports = generate(
      *system_, request_, [&](int64_t done, int64_t) { last_done = std::max(last_done, done); });
  finish_dataset(*system_, request_, {});
  int64_t trajectories = 0;
  for (const FileReport& report : reports) trajectories += report.trajectories;
  EXPECT_EQ(trajectories, 6);
  EXPECT_EQ(last_done, 6 * 4);

  if (system_->storage() == "video") {
    const auto clips = read_clips(folder_);
    EXPECT_EQ(clips.size(), 6U);
    EXPECT_EQ(inspect_video(folder_ / clips.front().file).width, 32);
    return;
  }
  EXPECT_TRUE(fs::exists(folder_ / "stats.yaml"));
  // Groups interleave trajectories over files: look each one up by its file's own list.
  const WellFolder train(folder_, "train");
  int64_t found = 0;
  for (const DataFile& file : plan_files(*system_, request_.size)) {
    if (file.split != "train") continue;
    const WellReader reader(folder_ / file.path);
    for (size_t slot = 0; slot < file.trajectories.size(); ++slot) {
      std::vector<float> stored(static_cast<size_t>(reader.header().frame_size()));
      reader.read_window(static_cast<int64_t>(slot), 2, 1, stored);
      EXPECT_EQ(stored, expected_frame(file.trajectories[slot]));
      ++found;
    }
  }
  EXPECT_EQ(found, 3);
  EXPECT_EQ(train.n_trajectories(), 3);
}

INSTANTIATE_TEST_SUITE_P(All, Generate, testing::ValuesIn(names_of(systems())),
                         [](const auto& row) { return row.param; });

}  // namespace
}  // namespace roundtrip

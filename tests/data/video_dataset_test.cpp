#include "roundtrip/data/video_dataset.h"

#include <map>
#include <set>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <torch/types.h>

#include "roundtrip/io/clips.h"
#include "tests/io/video_files.h"
#include "tests/support/error_of.h"
#include "tests/support/shared_data.h"

namespace roundtrip {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class VideoDatasetTest : public VideoFiles {
 protected:
  /// Two clips for each of so many people, of 6 and 9 frames at 25 per second, each person's ten
  /// frames longer than those of the one before.
  void write_folder(int64_t people) const {
    std::vector<Clip> clips;
    for (int64_t who = 0; who < people; ++who) {
      for (const int64_t frames : {10 * who + 6, 10 * who + 9}) {
        clips.push_back({fmt::format("{}-{}.mp4", who, frames), fmt::format("person {}", who)});
        write_moving_video(folder_ / clips.back().file, {.width = 32, .height = 16}, frames);
      }
    }
    write_clips(folder_, clips);
  }
  std::string path() const { return folder_.string(); }
};

TEST_F(VideoDatasetTest, FramesAreThePicturesOfTheClip) {
  write_folder(1);
  const auto dataset = open_dataset({.path = path(),
                                     .train_share = 1,
                                     .selection_share = 0,
                                     .calibration_share = 0,
                                     .test_share = 0});
  const FrameLayout expected{"clips", {"red", "green", "blue"}, 16, 32};
  EXPECT_EQ(dataset->layout(), expected);
  EXPECT_FALSE(dataset->random_access());
  EXPECT_TRUE(dataset->unit_range());
  ASSERT_EQ(dataset->trajectories(Split::train), 2);
  EXPECT_EQ(dataset->frames(Split::train, 0), 6);
  EXPECT_EQ(dataset->frames(Split::train, 1), 9);
  const std::vector<TimedFrame> pictures = read_all(folder_ / "0-9.mp4");
  ASSERT_EQ(pictures.size(), 9u);
  const torch::Tensor frames = dataset->read(Split::train, 1, 7, 2);
  ASSERT_EQ(frames.sizes(), (std::vector<int64_t>{2, 3, 16, 32}));
  const Image& last = pictures[8].image;
  for (const int64_t row : {0, 5, 15}) {
    for (const int64_t column : {0, 17, 31}) {
      const Rgb colour = last.at(column, row);
      EXPECT_EQ(frames[1][0][row][column].item<float>(), colour.red / 127.5F - 1.0F);
      EXPECT_EQ(frames[1][1][row][column].item<float>(), colour.green / 127.5F - 1.0F);
      EXPECT_EQ(frames[1][2][row][column].item<float>(), colour.blue / 127.5F - 1.0F);
    }
  }
  EXPECT_LE(frames.abs().max().item<float>(), 1.0F);
}

// What the containers promise must be what decoding gives, at any rate.
TEST_F(VideoDatasetTest, LengthsAreWhatDecodingGives) {
  write_folder(1);
  for (const double rate : {0.0, 25.0, 24.0, 12.5, 10.0, 8.0, 50.0}) {
    const auto dataset = open_dataset({.path = path(),
                                       .width = 8,
                                       .height = 8,
                                       .rate = rate,
                                       .train_share = 1,
                                       .selection_share = 0,
                                       .calibration_share = 0,
                                       .test_share = 0});
    for (const int64_t i : {0, 1}) {
      const auto file = folder_ / (i == 0 ? "0-6.mp4" : "0-9.mp4");
      const auto decoded =
          static_cast<int64_t>(read_all(file, {.width = 8, .height = 8, .rate = rate}).size());
      EXPECT_EQ(dataset->frames(Split::train, i), decoded) << rate;
      EXPECT_EQ(dataset->read(Split::train, i, 0, decoded).size(0), decoded);
    }
  }
}

TEST_F(VideoDatasetTest, StrideTakesEveryThirdFrame) {
  write_folder(1);
  const DataConfig all{.path = path(),
                       .train_share = 1,
                       .selection_share = 0,
                       .calibration_share = 0,
                       .test_share = 0};
  DataConfig third = all;
  third.stride = 3;
  const auto thinned = open_dataset(third);
  EXPECT_EQ(thinned->frames(Split::train, 1), 3);
  const torch::Tensor frames = open_dataset(all)->read(Split::train, 1, 0, 9);
  EXPECT_TRUE(
      thinned->read(Split::train, 1, 1, 2).equal(frames.index_select(0, torch::tensor({3, 6}))));
}

TEST_F(VideoDatasetTest, NobodyIsInTwoSplits) {
  write_folder(10);
  const auto dataset = open_dataset({.path = path(),
                                     .train_share = 0.4,
                                     .selection_share = 0.2,
                                     .calibration_share = 0.2,
                                     .test_share = 0.2,
                                     .split_seed = 3});
  EXPECT_EQ(dataset->trajectories(Split::train), 8);
  EXPECT_EQ(dataset->trajectories(Split::selection), 4);
  EXPECT_EQ(dataset->trajectories(Split::calibration), 4);
  EXPECT_EQ(dataset->trajectories(Split::test), 4);
  std::map<int64_t, std::set<Split>> splits_of;  // each person's, told by the length of the clip
  std::set<int64_t> lengths;
  for (const Split split : kSplits) {
    for (int64_t i = 0; i < dataset->trajectories(split); ++i) {
      lengths.insert(dataset->frames(split, i));
      splits_of[dataset->frames(split, i) / 10].insert(split);
    }
  }
  EXPECT_EQ(lengths.size(), 20u);
  EXPECT_EQ(splits_of.size(), 10u);
  for (const auto& [who, splits] : splits_of) EXPECT_EQ(splits.size(), 1u) << who;
  EXPECT_THAT(dataset->split_rule(), HasSubstr("seed 3: shares 0.4 train"));
}

// The lengths of clips tell them apart.
TEST_F(VideoDatasetTest, TheColumnSplitDecides) {
  std::vector<Clip> clips;
  for (const std::string split :
       {"valid", "train", "valid", "other", "valid", "test", "valid", "valid"}) {
    const auto frames = static_cast<int64_t>(clips.size()) + 2;
    clips.push_back({fmt::format("{}.mp4", frames), "anna", split});
    write_moving_video(folder_ / clips.back().file, {.width = 32, .height = 16}, frames);
  }
  write_clips(folder_, clips);
  const auto dataset = open_dataset({.path = path(), .selection_limit = 2});
  const std::map<Split, std::vector<int64_t>> expected = {{Split::train, {3}},
                                                          {Split::selection, {2, 6}},  // 9 is cut
                                                          {Split::calibration, {4, 8}},
                                                          {Split::test, {7}},
                                                          {Split::other, {5}}};
  for (const auto& [split, lengths] : expected) {
    EXPECT_EQ(trajectory_lengths(*dataset, split), lengths) << split_name(split);
  }
  EXPECT_EQ(dataset->read(Split::other, 0, 0, 5).size(0), 5);
  EXPECT_EQ(dataset->trajectory_name(Split::calibration, 1), "calibration trajectory 1 (8.mp4)");
  EXPECT_THAT(dataset->split_rule(), HasSubstr("column split"));
  EXPECT_EQ(dataset->provenance()["trajectories"]["other"], 1);
}

// Another list of the same files is another dataset: latents of the old one do not fit.
TEST_F(VideoDatasetTest, SplitsArePartOfTheDigest) {
  write_folder(1);
  const auto digest = [&](const char* first, const char* second) {
    write_clips(folder_, {{"0-6.mp4", "a", first}, {"0-9.mp4", "b", second}});
    return open_dataset({.path = path()})->provenance()["digest"];
  };
  EXPECT_EQ(digest("train", "test"), digest("train", "test"));
  EXPECT_NE(digest("train", "test"), digest("test", "train"));
}

// Speaker s1 of the GRID corpus and five others; docs/how-to/faces.md.
TEST(GridClips, AreSplitAsListed) {
  const auto folder = shared_data("grid");
  if (folder.empty()) GTEST_SKIP() << missing_data("grid");
  const auto dataset = open_dataset({.path = folder.string(), .stride = 3});
  const std::map<Split, int64_t> expected = {{Split::train, 640},
                                             {Split::selection, 100},
                                             {Split::calibration, 100},
                                             {Split::test, 100},
                                             {Split::other, 5}};
  for (const auto& [split, count] : expected) {
    EXPECT_EQ(dataset->trajectories(split), count) << split_name(split);
    for (const int64_t length : trajectory_lengths(*dataset, split)) EXPECT_EQ(length, 25);
  }
  EXPECT_EQ(dataset->layout().height, 128);
  EXPECT_EQ(dataset->layout().width, 128);
  const torch::Tensor frames = dataset->read(Split::other, 4, 0, 25);
  EXPECT_GT(frames.std().item<double>(), 0.1);  // a picture
  EXPECT_GT((frames[24] - frames[0]).abs().max().item<double>(), 0.1);  // that moves
}

TEST_F(VideoDatasetTest, ClipsOfOtherSizesNeedASize) {
  write_folder(1);
  write_moving_video(folder_ / "wide.mp4", {.width = 48, .height = 16}, 6);
  std::vector<Clip> clips = read_clips(folder_);
  clips.push_back({"wide.mp4", "person 1"});
  write_clips(folder_, clips);
  EXPECT_THAT(error_of([&] { open_dataset({.path = path()}); }),
              AllOf(HasSubstr("wide.mp4: expected 32 x 16 pixels as in 0-6.mp4, found 48 x 16"),
                    HasSubstr("set data.width and data.height")));
  const auto dataset = open_dataset({.path = path(), .width = 16, .height = 8});
  EXPECT_EQ(dataset->layout().width, 16);
  EXPECT_EQ(dataset->layout().height, 8);
  EXPECT_THAT(error_of([&] { open_dataset({.path = path(), .width = 16}); }),
              HasSubstr("expected both or neither"));
}

TEST_F(VideoDatasetTest, AClipOfOneFrameIsNamed) {
  write_folder(1);
  EXPECT_THAT(error_of([&] { open_dataset({.path = path(), .stride = 6}); }),
              AllOf(HasSubstr("0-6.mp4"), HasSubstr("at least 2 frames in a trajectory, found 1")));
}

}  // namespace
}  // namespace roundtrip

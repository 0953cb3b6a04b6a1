#include "roundtrip/data/mat_dataset.h"

#include <gmock/gmock.h>

#include "roundtrip/base/json_text.h"
#include "tests/data/data_folder.h"
#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

using ::testing::HasSubstr;

class MatDatasetTest : public DataTest {};

// the file of 1200 trajectories gives 800 / 100 + 100 / 200.
TEST_F(MatDatasetTest, TheFileOfTwelveHundredSplitsAsThePaperDoes) {
  write_mat(path("a.mat"), 1200, 2);
  const auto dataset = open_dataset({.path = path("a.mat")});
  EXPECT_EQ(dataset->trajectories(Split::train), 800);
  EXPECT_EQ(dataset->trajectories(Split::selection), 100);
  EXPECT_EQ(dataset->trajectories(Split::calibration), 100);
  EXPECT_EQ(dataset->trajectories(Split::test), 200);
  EXPECT_EQ(dataset->trajectories(Split::other), 0);
  EXPECT_EQ(dataset->layout().dataset, "navier_stokes");
  const auto trajectory_of = [&](Split split, int64_t i) {
    return dataset->read(split, i, 0, 1).flatten()[0].item<float>() / 10000;
  };
  EXPECT_EQ(trajectory_of(Split::train, 799), 799);
  EXPECT_EQ(trajectory_of(Split::selection, 0), 800);
  EXPECT_EQ(trajectory_of(Split::calibration, 0), 801);
  EXPECT_EQ(trajectory_of(Split::selection, 99), 998);
  EXPECT_EQ(trajectory_of(Split::calibration, 99), 999);
  EXPECT_EQ(trajectory_of(Split::test, 0), 1000);
  EXPECT_EQ(trajectory_of(Split::test, 199), 1199);
  EXPECT_EQ(dataset->split_rule(),
            "FNO file: trajectories 0 to 799 train, to 999 valid (from its start: even = "
            "selection, odd = calibration), to 1199 test");
}

TEST_F(MatDatasetTest, OtherSizesSplitAtTheSameSharesRoundedDown) {
  struct Row {
    int64_t n, train, selection, calibration, test;
  };
  for (const Row& row : {Row{2, 1, 0, 0, 1}, Row{3, 2, 0, 0, 1}, Row{6, 4, 1, 0, 1},
                         Row{10, 6, 1, 1, 2}, Row{25, 16, 2, 2, 5}}) {
    write_mat(path("a.mat"), row.n, 2);
    const auto dataset = open_dataset({.path = path("a.mat")});
    EXPECT_EQ(dataset->trajectories(Split::train), row.train) << row.n;
    EXPECT_EQ(dataset->trajectories(Split::selection), row.selection) << row.n;
    EXPECT_EQ(dataset->trajectories(Split::calibration), row.calibration) << row.n;
    EXPECT_EQ(dataset->trajectories(Split::test), row.test) << row.n;
  }
}

TEST_F(MatDatasetTest, FramesAreThoseOfTheFileAtEveryLevel) {
  for (const MatLevel level : {MatLevel::level5, MatLevel::level5_compressed, MatLevel::level73}) {
    write_mat(path("a.mat"), 12, 7, level);
    const auto dataset = open_dataset({.path = path("a.mat"), .stride = 3});
    EXPECT_FALSE(dataset->random_access());
    EXPECT_EQ(dataset->frames(Split::test, 0), 3);
    const torch::Tensor window = dataset->read(Split::test, 1, 1, 2);
    EXPECT_EQ(window.sizes(), (std::vector<int64_t>{2, 1, 3, 4}));
    EXPECT_TRUE(window[0].equal(plain_frame(11, 3, 1, 3, 4)));
    EXPECT_TRUE(window[1].equal(plain_frame(11, 6, 1, 3, 4)));
  }
}

TEST_F(MatDatasetTest, TooFewTrajectoriesOrFramesAreErrors) {
  write_mat(path("a.mat"), 1, 3);
  EXPECT_THAT(error_of([&] { open_dataset({.path = path("a.mat")}); }),
              HasSubstr("expected at least 2 trajectories"));
  write_mat(path("a.mat"), 3, 1);
  EXPECT_THAT(error_of([&] { open_dataset({.path = path("a.mat")}); }),
              HasSubstr("expected at least 2 frames"));
}

TEST_F(MatDatasetTest, ProvenanceFollowsTheBytesNotTheName) {
  write_mat(path("a.mat"), 6, 3);
  write_mat(path("b.mat"), 6, 3);
  const auto provenance = [&](const DataConfig& config) {
    return json_text(open_dataset(config)->provenance());
  };
  EXPECT_EQ(provenance({.path = path("a.mat")}), provenance({.path = path("b.mat")}));
  EXPECT_NE(provenance({.path = path("a.mat")}), provenance({.path = path("a.mat"), .frames = 2}));
}

}  // namespace
}  // namespace roundtrip

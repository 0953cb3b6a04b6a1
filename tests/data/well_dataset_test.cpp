#include "roundtrip/data/well_dataset.h"

#include <gmock/gmock.h>

#include "roundtrip/base/atomic_file.h"
#include "roundtrip/base/json_text.h"
#include "tests/data/data_folder.h"
#include "tests/support/error_of.h"
#include "tests/support/well_chunks.h"

namespace roundtrip {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class WellDatasetTest : public DataTest {
 protected:
  /// 3 + 2 training, 3 + 2 valid, 1 test trajectories of 6 frames; the file's number is in `value`.
  void write_folder() const {
    const auto numbered = [](int64_t file) {
      return [file](int64_t n, int64_t t, int64_t c, int64_t i) {
        return plain_value(n + 10 * file, t, c, i);
      };
    };
    write_well(path("data/train/a.hdf5"), 3, 6, numbered(0));
    write_well(path("data/train/b.hdf5"), 2, 6, numbered(1));
    write_well(path("data/valid/a.hdf5"), 3, 6, numbered(2));
    write_well(path("data/valid/b.hdf5"), 2, 6, numbered(3));
    write_well(path("data/test/a.hdf5"), 1, 6, numbered(4));
  }
  static torch::Tensor frame(int64_t trajectory, int64_t t) {
    return plain_frame(trajectory, t, 3, 3, 4);
  }
};

TEST_F(WellDatasetTest, ValidDividesIntoEvenAndOddTrajectories) {
  write_folder();
  const auto dataset = open_dataset({.path = path("")});
  const FrameLayout expected{"example",
                             {"density", "velocity_x", "velocity_y"},
                             3,
                             4,
                             {Boundary::periodic, Boundary::open}};
  EXPECT_EQ(dataset->layout(), expected);
  EXPECT_TRUE(dataset->random_access());
  // The trajectory of the value, for each trajectory of the split.
  const std::vector<std::pair<Split, std::vector<int64_t>>> table = {
      {Split::train, {0, 1, 2, 10, 11}},
      {Split::selection, {20, 22, 31}},
      {Split::calibration, {21, 30}},
      {Split::test, {40}}};
  for (const auto& [split, trajectories] : table) {
    ASSERT_EQ(dataset->trajectories(split), static_cast<int64_t>(trajectories.size()));
    for (size_t i = 0; i < trajectories.size(); ++i) {
      EXPECT_EQ(dataset->frames(split, i), 6);
      const torch::Tensor window = dataset->read(split, i, 2, 3);
      EXPECT_EQ(window.sizes(), (std::vector<int64_t>{3, 3, 3, 4}));
      for (int64_t t = 0; t < 3; ++t) {
        EXPECT_TRUE(window[t].equal(frame(trajectories[i], 2 + t)));
      }
    }
  }
}

TEST_F(WellDatasetTest, StrideFramesAndLimitsThinItOut) {
  write_folder();
  const auto dataset =
      open_dataset({.path = path(""), .stride = 2, .train_limit = 2, .selection_limit = 9});
  EXPECT_EQ(dataset->trajectories(Split::train), 2);
  EXPECT_EQ(dataset->trajectories(Split::selection), 3);
  EXPECT_EQ(dataset->frames(Split::train, 0), 3);
  const torch::Tensor window = dataset->read(Split::train, 1, 1, 2);
  EXPECT_TRUE(window[0].equal(frame(1, 2)));
  EXPECT_TRUE(window[1].equal(frame(1, 4)));
  EXPECT_EQ(open_dataset({.path = path(""), .frames = 4})->frames(Split::test, 0), 4);
  EXPECT_THAT(error_of([&] { open_dataset({.path = path(""), .stride = 2, .frames = 4}); }),
              HasSubstr("at most the 3 frames there are at stride 2, found 4"));
}

TEST_F(WellDatasetTest, AChunkedFileReadsTheSameAndAtRandomUnlessCompressed) {
  write_well(path("data/train/a.hdf5"), 2, 6);
  const auto plain = open_dataset({.path = path(""), .stride = 2});
  const torch::Tensor expected = plain->read(Split::train, 1, 0, 3);
  for (const Storage& storage : {Storage{}, Storage{.deflate = true}}) {
    store_in_chunks(path("data/train/a.hdf5"), {"t0_fields/density"}, storage);
    const auto chunked = open_dataset({.path = path(""), .stride = 2});
    EXPECT_EQ(chunked->random_access(), !storage.deflate);
    EXPECT_TRUE(chunked->read(Split::train, 1, 0, 3).equal(expected));
    EXPECT_TRUE(chunked->read(Split::train, 1, 1, 2).equal(expected.slice(0, 1)));
  }
}

TEST_F(WellDatasetTest, AnEmptySplitIsAnErrorOnlyWhenAskedFor) {
  write_well(path("data/test/orszag_tang.hdf5"), 1, 3);
  write_well(path("data/valid/one.hdf5"), 1, 3);
  const auto dataset = open_dataset({.path = path("")});
  EXPECT_EQ(dataset->trajectories(Split::selection), 1);
  EXPECT_EQ(dataset->trajectories(Split::calibration), 0);
  EXPECT_EQ(dataset->trajectories(Split::other), 0);
  EXPECT_FALSE(dataset->provenance()["trajectories"].contains("other"));
  EXPECT_THAT(error_of([&] { dataset->read(Split::other, 0, 0, 1); }),
              HasSubstr("split other is empty (train"));
  EXPECT_NO_THROW(dataset->read(Split::test, 0, 0, 3));
  EXPECT_EQ(error_of([&] { dataset->read(Split::calibration, 0, 0, 1); }),
            "[data] example: split calibration is empty (train 0, selection 1, calibration 0, test "
            "1); Well folder: train and test as they are, valid by trajectory index: even = "
            "selection, odd = calibration");
}

TEST_F(WellDatasetTest, OneFrameOrAChangingShapeIsAnError) {
  write_well(path("data/train/a.hdf5"), 2, 3);
  EXPECT_THAT(error_of([&] { open_dataset({.path = path(""), .stride = 3}); }),
              HasSubstr("expected at least 2 frames in a trajectory, found 1 (of 3 stored, at "
                        "stride 3)"));
  write_well(path("data/test/a.hdf5"), 2, 3, plain_value, /*width=*/5);
  EXPECT_THAT(error_of([&] { open_dataset({.path = path("")}); }),
              AllOf(HasSubstr("x=3 y=4"), HasSubstr("x=3 y=5")));
}

TEST_F(WellDatasetTest, ProvenanceFollowsTheBytesNotThePlace) {
  const auto provenance = [&](const std::string& folder) {
    return json_text(open_dataset({.path = path(folder)})->provenance());
  };
  write_well(path("one/data/train/a.hdf5"), 2, 3);
  write_well(path("two/data/train/a.hdf5"), 2, 3);
  EXPECT_EQ(provenance("one"), provenance("two"));
  EXPECT_THAT(provenance("one"), HasSubstr(R"("dataset":"example","kind":"well")"));
  write_file(path("two/dataset.json"), "{}");
  EXPECT_NE(provenance("one"), provenance("two"));
  write_well(path("three/data/train/a.hdf5"), 2, 3, [](int64_t n, int64_t t, int64_t c, int64_t i) {
    return plain_value(n, t, c, i) + 1;
  });
  EXPECT_NE(provenance("one"), provenance("three"));
}

}  // namespace
}  // namespace roundtrip

#include "roundtrip/io/well_folder.h"

#include <fstream>

#include <gmock/gmock.h>

#include "tests/io/well_example.h"

namespace roundtrip {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

class WellFolderTest : public WellTest {
 protected:
  /// A file of the train split with so many trajectories.
  void add(const std::string& name, int64_t trajectories) const {
    WellHeader header = example_header();
    header.n_trajectories = trajectories;
    header.scalars.clear();
    write_example(file("data/train/" + name), header);
  }
};

TEST_F(WellFolderTest, TrajectoriesOfFilesSortedByPathFollowEachOther) {
  add("b.h5", 3);
  add("a.hdf5", 2);
  std::ofstream(file("data/train/.tmp-1-c.hdf5")) << "still being written";
  std::ofstream(file("data/train/readme.txt")) << "no data";
  const WellFolder split(folder(), "train");
  EXPECT_EQ(split.n_trajectories(), 5);
  EXPECT_EQ(split.files().size(), 2u);
  EXPECT_EQ(split.files()[0].path().filename(), "a.hdf5");
  for (int64_t index = 0; index < 5; ++index) {
    const int64_t local = index < 2 ? index : index - 2;
    EXPECT_EQ(split.place(index).file, index < 2 ? 0 : 1);
    EXPECT_EQ(split.place(index).trajectory, local);
    std::vector<float> window(static_cast<size_t>(2 * split.header().frame_size()));
    split.read_window(index, 1, 2, window);
    EXPECT_EQ(window, example_window(split.header(), local, 1, 2));
  }
  EXPECT_THAT([&] { split.place(5); }, ThrowsMessage<Error>(HasSubstr("from 0 to 4")));
}

TEST_F(WellFolderTest, FilesThatDisagreeAreNamed) {
  add("a.hdf5", 2);
  WellHeader other = example_header();
  other.axes[1].coordinates.push_back(3);
  other.boundaries.pop_back();
  write_example(file("data/train/b.hdf5"), other);
  EXPECT_THAT([&] { WellFolder(folder(), "train"); },
              ThrowsMessage<Error>(AllOf(HasSubstr("b.hdf5: expected"), HasSubstr("x=3 y=4"),
                                         HasSubstr("as in a.hdf5"), HasSubstr("x=3 y=5"))));
}

// Channels of the same names, stored in another way: a vector against two scalars, or constant.
TEST_F(WellFolderTest, FieldsThatDifferUnderEqualNamesDisagree) {
  WellHeader header = example_header();
  header.scalars.clear();
  header.fields = {{.name = "v", .order = 1}};
  write_example(file("data/train/a.hdf5"), header);
  const auto disagreement_with = [&](const std::vector<WellField>& fields, const char* part) {
    header.fields = fields;
    write_example(file("data/train/b.hdf5"), header);
    EXPECT_THAT([&] { WellFolder(folder(), "train"); },
                ThrowsMessage<Error>(AllOf(HasSubstr("3 frames of v[1] on"), HasSubstr(part))));
  };
  disagreement_with({{.name = "v_x"}, {.name = "v_y"}}, "found 3 frames of v_x v_y on");
  disagreement_with({{.name = "v", .order = 1, .time_varying = false}},
                    "found 3 frames of v[1](along trajectories x y) on");
  disagreement_with({{.name = "v", .order = 1, .dim_varying = {true, false}}},
                    "found 3 frames of v[1](along trajectories time x) on");
}

TEST_F(WellFolderTest, OpensMoreFilesThanOneChildReads) {
  add("000.hdf5", 1);
  for (int i = 1; i < 203; ++i) {
    std::filesystem::copy_file(file("data/train/000.hdf5"),
                               file(fmt::format("data/train/{:03}.hdf5", i)));
  }
  const WellFolder split(folder(), "train");
  EXPECT_EQ(split.n_trajectories(), 203);
  EXPECT_EQ(split.files().back().path().filename(), "202.hdf5");
}

TEST_F(WellFolderTest, TheDamagedFileAmongManyIsNamed) {
  for (const char* name : {"a.hdf5", "b.hdf5", "c.hdf5"}) add(name, 1);
  std::filesystem::resize_file(file("data/train/b.hdf5"), 700);
  EXPECT_THAT([&] { WellFolder(folder(), "train"); },
              ThrowsMessage<Error>(AllOf(HasSubstr("b.hdf5: "), HasSubstr("truncated file"))));
}

TEST_F(WellFolderTest, AFolderWithoutFilesSaysWhereItLooked) {
  EXPECT_TRUE(well_files(folder(), "valid").empty());
  EXPECT_THAT(
      [&] { WellFolder(folder(), "valid"); },
      ThrowsMessage<Error>(AllOf(HasSubstr("data/valid: expected .hdf5 or .h5 files, found none"),
                                 HasSubstr("name the folder that holds data/valid"))));
}

}  // namespace
}  // namespace roundtrip

#include "roundtrip/data/frame_store.h"

#include <fstream>

#include <gmock/gmock.h>

#include "roundtrip/base/atomic_file.h"
#include "tests/data/data_folder.h"
#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

using ::testing::HasSubstr;

class FrameStoreTest : public DataTest {
 protected:
  static void expect_frames(const FrameStore& store, int64_t channels, int64_t first_trajectory) {
    const std::vector<FrameLocation> places = {{1, 2}, {0, 0}, {1, 0}, {1, 2}};
    const torch::Tensor frames = store.frames(places);
    ASSERT_EQ(frames.sizes(), (std::vector<int64_t>{4, channels, 3, 4}));
    for (size_t i = 0; i < places.size(); ++i) {
      EXPECT_TRUE(frames[static_cast<int64_t>(i)].equal(
          plain_frame(first_trajectory + places[i].trajectory, places[i].frame, channels, 3, 4)));
    }
  }
  std::filesystem::path cached() const { return path("cache/frames-train.safetensors"); }
};

TEST_F(FrameStoreTest, RandomAccessReadsTheDatasetItself) {
  write_well(path("data/train/a.hdf5"), 2, 3);
  const auto dataset = open_dataset({.path = path("")});
  const FrameStore store(*dataset, Split::train, path("cache"));
  EXPECT_FALSE(store.cached());
  EXPECT_FALSE(std::filesystem::exists(path("cache")));
  expect_frames(store, 3, 0);
}

TEST_F(FrameStoreTest, OtherDatasetsAreCopiedOnce) {
  write_mat(path("a.mat"), 12, 3);
  const auto dataset = open_dataset({.path = path("a.mat")});
  for (const int64_t threads : {1, 3}) {
    const FrameStore store(*dataset, Split::test, path(fmt::format("cache{}", threads)), {},
                           threads);
    EXPECT_TRUE(store.cached());
    EXPECT_EQ(store.trajectories(), 2);
    EXPECT_EQ(store.length(1), 3);
    expect_frames(store, 1, 10);
  }
  EXPECT_EQ(read_file(path("cache1/frames-test.safetensors")),
            read_file(path("cache3/frames-test.safetensors")));
}

TEST_F(FrameStoreTest, TheCopyIsUsedAgainWhileItFits) {
  write_mat(path("a.mat"), 12, 3);
  const auto dataset = open_dataset({.path = path("a.mat")});
  const FrameStore store(*dataset, Split::train, path("cache"));
  // A mark in the last value shows whether the copy is used or made again.
  const std::string fresh = read_file(cached());
  std::string marked = fresh;
  marked[marked.size() - 4] ^= 1;
  write_file(cached(), marked);
  const FrameStore again(*dataset, Split::train, path("cache"));
  EXPECT_EQ(read_file(cached()), marked);

  write_file(cached(), marked.substr(0, marked.size() - 1));
  const FrameStore mended(*dataset, Split::train, path("cache"));
  EXPECT_EQ(read_file(cached()), fresh);
}

TEST_F(FrameStoreTest, OtherDataMakeItAnew) {
  write_mat(path("a.mat"), 12, 3);
  { FrameStore(*open_dataset({.path = path("a.mat")}), Split::train, path("cache")); }
  write_mat(path("a.mat"), 12, 3, MatLevel::level5,
            [](int64_t n, int64_t t, int64_t c, int64_t i) { return -plain_value(n, t, c, i); });
  const auto dataset = open_dataset({.path = path("a.mat")});
  const FrameStore store(*dataset, Split::train, path("cache"));
  const std::vector<FrameLocation> places = {{1, 2}};
  EXPECT_TRUE(store.frames(places)[0].equal(-plain_frame(1, 2, 1, 3, 4)));
}

TEST_F(FrameStoreTest, NothingIsLeftWhenAFrameIsBad) {
  write_mat(path("a.mat"), 12, 3, MatLevel::level5, [](int64_t n, int64_t t, int64_t c, int64_t i) {
    return n == 7 && t == 1 && i == 0 ? NAN : plain_value(n, t, c, i);
  });
  const auto dataset = open_dataset({.path = path("a.mat")});
  EXPECT_THAT(error_of([&] { FrameStore(*dataset, Split::train, path("cache")); }),
              HasSubstr("split train, trajectory 7, frame 1, channel vorticity"));
  EXPECT_TRUE(std::filesystem::is_empty(path("cache")));
}

TEST_F(FrameStoreTest, AnEmptySplitIsAnError) {
  write_mat(path("a.mat"), 3, 3);
  const auto dataset = open_dataset({.path = path("a.mat")});
  EXPECT_THAT(error_of([&] { FrameStore(*dataset, Split::selection, path("cache")); }),
              HasSubstr("split selection is empty"));
}

}  // namespace
}  // namespace roundtrip

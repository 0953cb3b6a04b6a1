#include "roundtrip/data/dataset.h"

#include <gmock/gmock.h>

#include "roundtrip/base/atomic_file.h"
#include "roundtrip/base/settings.h"
#include "tests/data/data_folder.h"
#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class DatasetTest : public DataTest {};

TEST_F(DatasetTest, OtherPathsAreToldWhatIsAccepted) {
  const auto error_at = [](const std::string& where) {
    return error_of([&] { open_dataset({.path = where}); });
  };
  EXPECT_THAT(error_at(""), AllOf(HasSubstr("data.path"), HasSubstr("a Well folder")));
  EXPECT_THAT(error_at(path("none")), HasSubstr("found nothing there"));
  EXPECT_THAT(error_at(path("")), AllOf(HasSubstr("clips.csv"), HasSubstr("with neither")));
  write_file(path("a.txt"), "text");
  EXPECT_THAT(error_at(path("a.txt")), AllOf(HasSubstr(".mat file"), HasSubstr("another file")));
}

TEST_F(DatasetTest, SettingsAreBoundUnderData) {
  DataConfig config;
  Settings settings("config");
  bind(config, settings);
  settings.read_toml("[data]\npath = \"a.mat\"\nstride = 3\nframes = 20\ntest_limit = 7\n");
  settings.read_override("data.rate=12.5");
  EXPECT_EQ(config.path, "a.mat");
  EXPECT_EQ(config.stride, 3);
  EXPECT_EQ(config.frames, 20);
  EXPECT_EQ(config.limit(Split::test), 7);
  EXPECT_EQ(config.limit(Split::train), 0);
  EXPECT_EQ(config.limit(Split::other), 0);
  EXPECT_EQ(config.rate, 12.5);
  EXPECT_THAT(error_of([&] { settings.read_override("data.stride=0"); }), HasSubstr("data.stride"));
}

TEST_F(DatasetTest, AValueThatIsNotFiniteIsPlaced) {
  for (const float bad : {NAN, INFINITY, -INFINITY}) {
    write_well(path("data/train/a.hdf5"), 2, 3, [&](int64_t n, int64_t t, int64_t c, int64_t i) {
      return n == 1 && t == 2 && c == 1 && i == 11 ? bad : plain_value(n, t, c, i);
    });
    const auto dataset = open_dataset({.path = path("")});
    EXPECT_NO_THROW(dataset->read(Split::train, 0, 0, 3));
    EXPECT_NO_THROW(dataset->read(Split::train, 1, 0, 2));
    EXPECT_EQ(error_of([&] { dataset->read(Split::train, 1, 1, 2); }),
              fmt::format("[data] example: split train, trajectory 1, frame 2, channel velocity_x: "
                          "expected finite values, found {}; leave that trajectory out or generate "
                          "it again",
                          bad));
  }
}

TEST_F(DatasetTest, AWindowOutOfRangeIsOurMistake) {
  write_well(path("data/train/a.hdf5"), 2, 3);
  const auto dataset = open_dataset({.path = path("")});
  EXPECT_THROW(dataset->read(Split::train, 2, 0, 1), Bug);
  EXPECT_THROW(dataset->read(Split::train, 0, 2, 2), Bug);
  EXPECT_THROW(dataset->read(Split::train, 0, 0, 0), Bug);
}

}  // namespace
}  // namespace roundtrip

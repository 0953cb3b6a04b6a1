#include <gmock/gmock.h>

#include "cli/program.h"

namespace roundtrip {
namespace {

using testing::HasSubstr;

using ShippedPresetsTest = ProgramTest;

TEST_F(ShippedPresetsTest, AreFoundByNameFromAnyFolder) {
  const ProgramResult by_name = run("config mhd-small");
  EXPECT_EQ(by_name.code, 0) << by_name.err;
  EXPECT_EQ(by_name.out, run("config " ROUNDTRIP_SOURCE_DIR "/configs/mhd-small.toml").out);
}

TEST_F(ShippedPresetsTest, ThoseOfTheWorkingFolderComeFirst) {
  std::filesystem::create_directories(folder_ / "configs");
  write_file(folder_ / "configs/mhd-small.toml", "seed = 4711\n");
  EXPECT_THAT(run("config mhd-small").out, HasSubstr("seed = 4711"));
}

TEST_F(ShippedPresetsTest, NearMissesGetAHint) {
  expect_mistake(run("config mhd-smal"), "[config] mhd-smal: no such preset (did you mean "
                                         "mhd-small?");
  expect_mistake(run("train mhdsmall --out m"), "did you mean mhd-small?");
  expect_mistake(run("config nowhere/mhd-small.toml"), "nowhere/mhd-small.toml");
}

}  // namespace
}  // namespace roundtrip

#include <gmock/gmock.h>

#include "cli/program.h"
#include "roundtrip/base/version.h"

namespace roundtrip {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

using CommandTest = ProgramTest;

TEST_F(CommandTest, WithoutArgumentsItPrintsHelp) {
  const ProgramResult result = run("");
  EXPECT_EQ(result.code, 0);
  for (const char* subcommand : {"demo", "generate", "train", "rollout", "cycle", "calibrate",
                                 "trust", "score", "report", "inspect", "list", "doctor"}) {
    EXPECT_THAT(result.out, HasSubstr(subcommand));
  }
}

TEST_F(CommandTest, VersionNamesTheCommit) {
  EXPECT_EQ(run("--version").out, std::string("roundtrip ") + version() + " (" + commit() + ")\n");
}

TEST_F(CommandTest, MistakesAreOneLineAndCodeTwo) {
  expect_mistake(run("genrate"), "did you mean generate?");
  expect_mistake(run("list --jsno"), "roundtrip list --help");
  expect_mistake(run("generate mhd"), "--out");
  expect_mistake(run("generate mhd --out d --train many"), "--train");
  expect_mistake(run("list nosuch"), "[system] nosuch: no such system");
  expect_mistake(run("list mhd --preset huge"), "known: small, paper");
}

TEST_F(CommandTest, LostOutputIsNotSuccess) {
  const std::string command = "'" ROUNDTRIP_PROGRAM "' list >/dev/full 2>/dev/null";
  EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 2);
  for (const std::string subcommand : {"--help", "--version", "inspect --help", ""}) {
    const std::string help = "'" ROUNDTRIP_PROGRAM "' " + subcommand + " >/dev/full 2>/dev/null";
    EXPECT_EQ(WEXITSTATUS(std::system(help.c_str())), 2) << subcommand;
  }
}

TEST_F(CommandTest, SubcommandsThatNeedTorchAreForwarded) {
  const ProgramResult help = run("doctor --help");
  EXPECT_EQ(help.code, 0) << help.err;
  EXPECT_THAT(help.out, HasSubstr("--json"));
  expect_mistake(run("doctor --jsno"), "--jsno");
}

}  // namespace
}  // namespace roundtrip

#include <gmock/gmock.h>

#include "cli/program.h"

namespace roundtrip {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class CompletionTest : public ProgramTest {
 protected:
  // What bash offers for the last of `words`, one per line.
  std::string completed(const std::string& words) const {
    const std::string script =
        "source completion.bash; COMP_WORDS=(" + words +
        "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _roundtrip; printf '%s\\n' \"${COMPREPLY[@]}\"";
    write_file(folder_ / "ask.bash", script);
    const ProgramResult result = run("--version", "bash ask.bash >offered.txt;");
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_EQ(result.err, "");
    return read_file(folder_ / "offered.txt");
  }
};

TEST_F(CompletionTest, BashCompletesSubcommandsOptionsAndNames) {
  const ProgramResult script = run("completion bash");
  ASSERT_EQ(script.code, 0) << script.err;
  write_file(folder_ / "completion.bash", script.out);
  EXPECT_EQ(completed("roundtrip gen"), "generate\n");
  EXPECT_EQ(completed("roundtrip re"), "reproduce\nreport\n");
  EXPECT_EQ(completed("roundtrip train mhd-small --thr"), "--threads\n");
  EXPECT_EQ(completed("roundtrip cycle --sig"), "--signals\n");
  EXPECT_EQ(completed("roundtrip generate m"), "mhd\n");
  EXPECT_THAT(completed("roundtrip train mhd-s"), HasSubstr("mhd-small\n"));
  EXPECT_THAT(completed("roundtrip trust --model navier"), HasSubstr("navier_stokes-small\n"));
  EXPECT_EQ(completed("roundtrip help doc"), "doctor\n");
  // Anything else is a file, which bash completes by itself.
  EXPECT_EQ(completed("roundtrip cycle --out cur"), "\n");
}

TEST_F(CompletionTest, ZshSpecifiesEveryOption) {
  const ProgramResult script = run("completion zsh");
  ASSERT_EQ(script.code, 0) << script.err;
  EXPECT_THAT(script.out, testing::StartsWith("#compdef roundtrip\n"));
  EXPECT_THAT(script.out,
              AllOf(HasSubstr("'generate:Solve trajectories of a system"),
                    HasSubstr("'--force[replace a dataset made with other settings]'"),
                    HasSubstr("'--out[folder of the dataset]:TEXT:_files'"), Not(HasSubstr("{}"))));
}

TEST_F(CompletionTest, AnotherShellIsAMistake) {
  expect_mistake(run("completion fish"), "[shell] fish: no such shell");
}

}  // namespace
}  // namespace roundtrip

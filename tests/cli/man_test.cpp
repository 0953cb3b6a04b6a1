#include <gmock/gmock.h>

#include "cli/program.h"

namespace roundtrip {
namespace {

using testing::HasSubstr;

using ManTest = ProgramTest;

TEST_F(ManTest, NamesEverySubcommandWithItsOptions) {
  const ProgramResult page = run("man");
  ASSERT_EQ(page.code, 0) << page.err;
  EXPECT_THAT(page.out, testing::StartsWith(".TH ROUNDTRIP 1 "));
  EXPECT_THAT(page.out, HasSubstr("\n.SS roundtrip generate system [settings...]\n"));
  EXPECT_THAT(page.out, HasSubstr("\n.SS roundtrip trust "));
  EXPECT_THAT(page.out, HasSubstr("\\fB\\-\\-tolerance\\fR \\fIFLOAT\\fR"));
  EXPECT_THAT(page.out, HasSubstr("(default: small)"));
}

TEST_F(ManTest, GroffHasNothingToSayAgainstIt) {
  if (std::system("command -v groff >/dev/null") != 0) GTEST_SKIP() << "no groff here";
  const ProgramResult page = run("man");
  write_file(folder_ / "roundtrip.1", page.out);
  const ProgramResult result =
      run("--version", "groff -man -ww -Tutf8 roundtrip.1 >page.txt 2>complaints.txt;");
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(read_file(folder_ / "complaints.txt"), "");
  EXPECT_THAT(read_file(folder_ / "page.txt"), HasSubstr("128 + n ended by"));
}

}  // namespace
}  // namespace roundtrip

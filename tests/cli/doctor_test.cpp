#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "cli/program.h"
#include "roundtrip/base/json_text.h"

namespace roundtrip {
namespace {

using DoctorTest = ProgramTest;

TEST_F(DoctorTest, TheOpenMpBuildOfOpenBlasIsTheOneLoaded) {
  const ProgramResult result = run("doctor --json");
  ASSERT_EQ(result.code, 0) << result.err;
  bool found = false;
  const auto json = read_json(result.out);
  for (const auto& row : json["rows"]) {
    if (row["name"] != "blas") continue;
    found = true;
    EXPECT_THAT(row["value"].get<std::string>(), testing::HasSubstr("openblas-openmp"));
    EXPECT_EQ(row["warning"], "");
  }
  EXPECT_TRUE(found);
}

TEST_F(DoctorTest, NamesTheProgramThatReadsHdf5) {
  EXPECT_THAT(run("doctor").out, testing::ContainsRegex("hdf5 +1\\.[0-9.]+ in .*roundtrip-reader"));
  EXPECT_THAT(run("doctor", "ROUNDTRIP_READER=/nowhere/reader").out,
              testing::HasSubstr("[program] /nowhere/reader: cannot be run"));
}

TEST_F(DoctorTest, WarnsOfThreadsThatAreNoNumber) {
  EXPECT_THAT(run("doctor", "OMP_NUM_THREADS=abc").out,
              testing::HasSubstr("no number of threads: it is passed over"));
}

TEST_F(DoctorTest, ThreadsWaitPassivelyUnlessTheUserChose) {
  EXPECT_THAT(run("doctor").out, testing::ContainsRegex("OMP_WAIT_POLICY +passive"));
  EXPECT_THAT(run("doctor", "OMP_WAIT_POLICY=active").out,
              testing::ContainsRegex("OMP_WAIT_POLICY +active"));
}

}  // namespace
}  // namespace roundtrip

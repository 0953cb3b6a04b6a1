// The subcommands `demo` and `reproduce` with the model that comes with the program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/program.h"
#include "roundtrip/base/atomic_file.h"
#include "roundtrip/base/csv.h"
#include "roundtrip/base/json_text.h"

namespace roundtrip {
namespace {

using ::testing::HasSubstr;

using DemoTest = ProgramTest;

TEST_F(DemoTest, PredictsTheErrorOfFreshTrajectories) {
  const ProgramResult result = run("demo --trajectories 2 --out shown --json");
  ASSERT_EQ(result.code, 0) << result.err;
  const auto rows = read_json(result.out)["rows"];
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[2]["rollout"], "orszag_tang");
  for (const auto& row : rows) {
    ASSERT_EQ(row["steps"].size(), 16U);  // the depths of the calibrators
    for (const auto& step : row["steps"]) {
      EXPECT_LT(step["low"], step["median"]);
      EXPECT_LT(step["median"], step["high"]);
      // Two independent states are 2 apart; a rollout that grew without bound would be far beyond.
      EXPECT_LT(step["e"], 10);
    }
  }
  // Fresh trajectories of the kind the calibrators know: most depths lie in the 95 percent band.
  // Depths of a rollout err together, so two rollouts may well miss some.
  EXPECT_GE(rows[0]["inside"].get<int>() + rows[1]["inside"].get<int>(), 20);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "shown/records.json"));
  expect_mistake(run("demo --trajectories 2 --out shown"), "--force");
}

TEST_F(DemoTest, AModelThatIsNotThereIsSaid) {
  expect_mistake(run("demo --model nowhere --out shown"), "nowhere");
}

TEST_F(DemoTest, ReproduceContinuesAndRepeats) {
  const std::string small =
      "--test 4 --train 2 --depths 1,2 --signals round_trip,error,seed_step --json --out ";
  const ProgramResult result = run("reproduce calibration " + small + "r");
  ASSERT_EQ(result.code, 0) << result.err;
  const auto rows = read_json(result.out)["rows"];
  ASSERT_GE(rows.size(), 1U);
  EXPECT_EQ(rows[0]["rows"][0]["from"], "constant");
  EXPECT_EQ(rows[0]["rows"][0]["NLL"]["paper"], 1.44);
  // A table that is there is kept; one that is not is measured again, to the same bytes.
  const std::string table = read_file(folder_ / "r/test.csv");
  std::filesystem::remove(folder_ / "r/test.csv");
  ASSERT_EQ(run("reproduce calibration " + small + "r").code, 0);
  EXPECT_EQ(read_file(folder_ / "r/test.csv"), table);
  expect_mistake(run("reproduce calibration --test-seed 5 " + small + "r"), "--force");
  expect_mistake(run("reproduce nothing"), "calibration");
}

}  // namespace
}  // namespace roundtrip

#include <cmath>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "calibration/simulated.h"
#include "cli/program.h"
#include "roundtrip/base/json_text.h"
#include "roundtrip/calibration/calibrator_file.h"

namespace roundtrip {
namespace {

using testing::HasSubstr;

class CalibrateTest : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    std::string test = simulated_csv(10, 8, /*seed=*/2);
    test.erase(0, test.find('\n') + 1);
    for (size_t at = 0; (at = test.find("calibration,", at)) != std::string::npos;) {
      test.replace(at, 12, "test,");
    }
    write_file(folder_ / "curves.csv", simulated_csv(40, 8) + test);
  }
};

TEST_F(CalibrateTest, WritesCalibratorsAndPrintsTheirScores) {
  const ProgramResult result = run("calibrate --curves curves.csv --out c.json");
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("40 trajectories, 320 rows; scored on held-out trajectories"));
  for (const char* part :
       {"none (baseline)", "depth (baseline)", "seed_step (baseline)", "trajectory_mean (post hoc)",
        "OVER BEST BASELINE", "E_density FROM", "Best baseline: seed_step",
        "The Gaussian 95 % band holds its share of errors at all 8 depths.",
        "conformal at each depth, made of these held-out errors"}) {
    EXPECT_THAT(result.out, HasSubstr(part));
  }
  const CalibratorSet set = read_calibrators(folder_ / "c.json");
  EXPECT_EQ(set.find({"E", "C", "alone"}).fit.trajectories, 40);
  EXPECT_EQ(set.find({"E", "C", "alone"}).conformal.find(1)->trajectories, 40);
  EXPECT_EQ(set.alarm("C").trajectories, 20);
}

TEST_F(CalibrateTest, ScoresElsewhereOnRequest) {
  const ProgramResult result =
      run("calibrate --curves curves.csv --out c.json --score-split test --no-conformal --json");
  EXPECT_EQ(result.code, 0) << result.err;
  const auto json = read_json(result.out);
  EXPECT_EQ(json["context"]["data"]["scored_on"], "curves.csv, test");
  bool found = false;
  for (const auto& row : json["rows"]) {
    EXPECT_EQ(row["n"], 80);
    for (const char* key : {"nll", "rmse", "x68", "x95", "cov68", "cov95", "ma", "mace", "rmsce",
                            "crps", "sharpness"}) {
      EXPECT_TRUE(row[key].is_number()) << key;
    }
    if (row["target"] != "E" || row["signal"] != "C" || row["features"] != "alone") continue;
    found = true;
    EXPECT_GT(row["over_depth"]["gain"].get<double>(), 0.5);
    EXPECT_EQ(row["over_baseline"]["baseline"], "seed_step");
  }
  EXPECT_TRUE(found);
  EXPECT_EQ(read_calibrators(folder_ / "c.json").find({"E", "C", "alone"}).fit.trajectories, 40);
}

// Errors of the test split are twice as large at depth 3 as those that were calibrated on.
TEST_F(CalibrateTest, NamesTheDepthsWhereBandsFail) {
  std::string text = "split,trajectory,depth,C,E\n";
  for (const char* split : {"calibration", "test"}) {
    for (uint64_t t = 0; t < 60; ++t) {
      const RandomStream noise(*split == 't' ? 1 : 2, "test.fails", t);
      for (uint64_t d = 1; d <= 4; ++d) {
        const double c = 0.1 * static_cast<double>(d) * std::exp(0.5 * noise.normal(0));
        const double off = *split == 't' && d == 3 ? 2 : 1;
        text += fmt::format("{},{},{},{:.9g},{:.9g}\n", split, t, d, c,
                            off * c * std::exp(0.1 * noise.normal(d)));
      }
    }
  }
  write_file(folder_ / "off.csv", text);
  const ProgramResult shown = run("calibrate --curves off.csv --out a.json --score-split test");
  EXPECT_THAT(shown.out, HasSubstr("band holds too few errors at depths 3 (0 %) of 4."));
  EXPECT_THAT(shown.out,
              HasSubstr("conformal at each depth, holds too few errors at depths 3 (0 %) of 4."));
  const auto rows =
      read_json(run("calibrate --curves off.csv --out b.json --score-split test --json").out)["rows"];
  for (const auto& row : rows) {
    if (row["signal"] != "C" || row["features"] != "depth") continue;
    ASSERT_EQ(row["printed_band_fails"].size(), 1u);
    EXPECT_EQ(row["printed_band_fails"][0]["depth"], 3);
    EXPECT_EQ(row["printed_band_fails"][0]["trajectories"], 60);
    EXPECT_EQ(row["printed_band_fails"][0]["inside"], 0);
  }
}

TEST_F(CalibrateTest, RecordsTheRuleThatChoseTheDegrees) {
  for (const char* rule : {"paired", "unpaired"}) {
    const ProgramResult result =
        run(fmt::format("calibrate --curves curves.csv --out {0}.json --degree-rule {0} --json",
                        rule));
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_EQ(read_json(result.out)["context"]["data"]["degree_rule"], rule);
  }
}

TEST_F(CalibrateTest, KeepsTheFingerprintOfTheCurves) {
  write_file(folder_ / "curves.csv.json", R"({"data": {"fingerprint": "abc"}})");
  run("calibrate --curves curves.csv --out a.json");
  EXPECT_EQ(read_calibrators(folder_ / "a.json").fingerprint, "abc");
  run("calibrate --curves curves.csv --out b.json --fingerprint xyz");
  EXPECT_EQ(read_calibrators(folder_ / "b.json").fingerprint, "xyz");
}

TEST_F(CalibrateTest, WarnsOfTrainingCurvesThatPromiseTooMuch) {
  std::string text = "split,trajectory,depth,C,E\n";
  for (int t = 0; t < 8; ++t) {
    for (int d = 1; d <= 4; ++d) {
      const double c = 0.1 * d * (1 + 0.1 * (t * 3 % 5));
      text += fmt::format("train,{},{},{},{}\n", t, d, c, c);
      text += fmt::format("calibration,{},{},{},{}\n", t, d, c, 3 * c);
    }
  }
  write_file(folder_ / "both.csv", text);
  EXPECT_THAT(run("calibrate --curves both.csv --out a.json").out,
              HasSubstr("E of calibration is 3.00 times that of train (3.00 at depth 4)\n"));
  EXPECT_THAT(run("calibrate --curves both.csv --out b.json --fit-split train").out,
              HasSubstr("will be too sure"));
}

TEST_F(CalibrateTest, MistakesAreOneLine) {
  expect_mistake(run("calibrate --curves curves.csv"), "--out");
  expect_mistake(run("calibrate --curves no.csv --out c.json"), "no.csv");
  expect_mistake(run("calibrate --curves curves.csv --out c.json --degree-rule best"),
                 "best: no such degree rule");
  expect_mistake(run("calibrate --curves curves.csv --out c.json --fit-split train"),
                 "found calibration, test; measure them");
  expect_mistake(run("calibrate --curves curves.csv --out c.json --score-split calibration"),
                 "that split fits the calibrators");
  write_file(folder_ / "bad.csv", "split,trajectory,depth,C\ncalibration,0,1,0.1\n");
  expect_mistake(run("calibrate --curves bad.csv --out c.json"), "expected an error column");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "c.json"));
  write_file(folder_ / "c.json", "mine");
  expect_mistake(run("calibrate --curves curves.csv --out c.json"), "--force");
  EXPECT_EQ(read_file(folder_ / "c.json"), "mine");
  EXPECT_EQ(run("calibrate --curves curves.csv --out c.json --force").code, 0);
}

}  // namespace
}  // namespace roundtrip

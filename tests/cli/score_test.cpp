#include <fmt/format.h>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "cli/program.h"
#include "roundtrip/base/csv.h"
#include "roundtrip/base/json_text.h"
#include "roundtrip/base/sha256.h"
#include "metrics/sample.h"

namespace roundtrip {
namespace {

using testing::HasSubstr;

class ScoreTest : public ProgramTest {
 protected:
  void write(const std::string& text) const { write_file(folder_ / "t.csv", text); }
};

// The sample of tests/reference/statistics.py, with a column `part` of the row number mod 3.
std::string sample_table() {
  const SamplePredictions sample(500);
  std::string text = "part,sigma,y,mean\n";
  for (size_t i = 0; i < sample.y.size(); ++i) {
    text += fmt::format("{},{:.17g},{:.17g},{:.17g}\n", i % 3, sample.sigma[i], sample.y[i],
                        sample.mean[i]);
  }
  return text;
}

TEST_F(ScoreTest, PrintsAllScores) {
  write(sample_table());
  const ProgramResult plain = run("score t.csv");
  EXPECT_EQ(plain.code, 0) << plain.err;
  EXPECT_THAT(plain.out, HasSubstr("N    NLL"));
  EXPECT_THAT(plain.out, HasSubstr("500  0.2999"));
  const auto json = read_json(run("score t.csv --json").out);
  ASSERT_EQ(json["rows"].size(), 1u);
  const auto& row = json["rows"][0];
  EXPECT_EQ(row["n"], 500);
  // tests/reference/statistics.py
  const std::pair<const char*, double> golden[] = {{"nll", 0.2998710550951179},
                                                   {"rmse", 0.3052239688754786},
                                                   {"x68", 1.250643114415731},
                                                   {"x95", 2.079991459467387},
                                                   {"cov68", 0.708},
                                                   {"cov95", 0.884},
                                                   {"ma", 0.1108732356679378},
                                                   {"mace", 0.1097709090909091},
                                                   {"rmsce", 0.1264497004109014},
                                                   {"crps", 0.1657898096962807},
                                                   {"sharpness", 0.2799253638103624}};
  for (const auto& [name, value] : golden) EXPECT_NEAR(row[name].get<double>(), value, 1e-10);
  EXPECT_EQ(row.size(), std::size(golden) + 1);
  EXPECT_EQ(json["context"]["data"]["sha256"], sha256_of_file(folder_ / "t.csv"));
}

TEST_F(ScoreTest, ByAColumnItGivesARowForEachValue) {
  write(sample_table());
  const auto json = read_json(run("score t.csv --by part --json").out);
  ASSERT_EQ(json["rows"].size(), 3u);
  EXPECT_EQ(json["rows"][1]["part"], 1);
  EXPECT_NEAR(json["rows"][1]["ma"].get<double>(), 0.1095127036479632, 1e-12);
  EXPECT_THAT(run("score t.csv --by part").out, HasSubstr("PART  N    NLL"));
}

TEST_F(ScoreTest, ValuesAreSortedAsNumbersThenAsText) {
  write("depth,y,mean,sigma\nten,0,0,1\n10,0,0,1\n9,0,0,1\n\"a,b\",0,0,1\n10,1,0,1\n");
  const auto rows = read_json(run("score t.csv --by depth --json").out)["rows"];
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[0]["depth"], 9);
  EXPECT_EQ(rows[1]["depth"], 10);
  EXPECT_EQ(rows[1]["n"], 2);
  EXPECT_EQ(rows[2]["depth"], "a,b");
  EXPECT_EQ(rows[3]["depth"], "ten");
}

TEST_F(ScoreTest, MistakesAreOneLine) {
  write("y,mean,sd\n1,1,1\n");
  expect_mistake(run("score t.csv"),
                 "t.csv: expected columns y, mean and sigma, found no sigma among: y, mean, sd");
  write("y,mean,sigma\n1,1,1\n1,1,0\n");
  expect_mistake(run("score t.csv"), "t.csv, line 3, column sigma: expected a deviation above 0");
  write("y,mean,sigma\n1,1,-0.5\n");
  expect_mistake(run("score t.csv"), "found -0.5");
  write("y,mean,sigma\nnan,1,1\n");
  expect_mistake(run("score t.csv"), "line 2, column y: expected a finite number, found nan");
  write("y,mean,sigma\n1,1,inf\n");
  expect_mistake(run("score t.csv"), "column sigma: expected a finite number, found inf");
  write("y,mean,sigma\n1,1,\n");
  expect_mistake(run("score t.csv"), "column sigma: expected a number, found \"\"");
  write("y,mean,sigma\n");
  expect_mistake(run("score t.csv"), "expected rows below the header, found none");
  write("");
  expect_mistake(run("score t.csv"), "t.csv: the file is empty");
  write("y,mean,sigma,depth,n\n1,1,1,1,1\n");
  expect_mistake(run("score t.csv --by dpeth"), "did you mean depth?");
  expect_mistake(run("score t.csv --by n"), "--by n: that is the name of a score");
  expect_mistake(run("score nosuch.csv"), "nosuch.csv");
  expect_mistake(run("score"), "table");
}

}  // namespace
}  // namespace roundtrip

#include "roundtrip/evaluation/evaluation_tables.h"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "evaluation/synthetic.h"

namespace roundtrip {
namespace {

// What every table makes from complete measurements is what a report can hold.
TEST(EvaluationTables, AllMakeSectionsOfAReport) {
  Measurements measured = synthetic_measurements(following_rule, 51, 3);
  measured.train = synthetic_table("train", 4, 3, following_rule(3));
  measured.scenarios["orszag_tang"] = synthetic_table("test", 1, 3, following_rule(4));
  measured.certificate = parse_csv(
      "trajectory,depth,anchors,E,C,delta,mu,L,realised,lower,upper,bound\n"
      "0,1,own,1,1,1,1,1,1,0,4,8\n",
      "test");
  measured.noises["1"] = synthetic_table("test", 4, 3, following_rule(5));
  measured.pixels = parse_csv(pixel_rows_to_csv({synthetic_pixels("constant", 0, 1, 1),
                                                 synthetic_pixels("spread", 0, 1, 1)}),
                              "test");
  measured.validations = {{.stage = "denoiser", .step = 1, .score = -1}};
  std::set<std::string_view> names;
  for (const TableEntry& row : evaluation_tables()) {
    SCOPED_TRACE(std::string(row.name));
    EXPECT_TRUE(names.insert(row.name).second);
    EXPECT_FALSE(row.summary.empty() || row.paper.empty());
    const std::vector<Section> sections = row.make(measured);
    EXPECT_FALSE(sections.empty());
    EXPECT_NO_THROW(check_sections(sections));
  }
}

TEST(EvaluationTables, MayHaveTheirEarlierName) {
  std::string note;
  EXPECT_EQ(find_table("growth", note).name, "growth");
  EXPECT_EQ(note, "");
  EXPECT_EQ(find_table("novelty", note).name, "out_of_distribution");
  EXPECT_THAT(note, testing::HasSubstr("out_of_distribution now"));
  EXPECT_THROW(find_table("no such", note), Error);
}

// A user who has nothing learns what to measure.
TEST(EvaluationTables, AllSayWhatTheyLack) {
  Measurements measured;
  measured.test = synthetic_table("test", 2, 1, [](int64_t, int64_t) {
    return SyntheticRow{{"fbf", 1}};
  });
  for (const TableEntry& row : evaluation_tables()) {
    SCOPED_TRACE(std::string(row.name));
    EXPECT_THROW(row.make(measured), Error);
  }
}

}  // namespace
}  // namespace roundtrip

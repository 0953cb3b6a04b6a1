#include "roundtrip/study/studies.h"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "study/synthetic.h"

namespace roundtrip {
namespace {

// What every study makes from whole evidence is what a report can hold.
TEST(Studies, AllMakeSectionsOfAReport) {
  Evidence evidence = synthetic_evidence(following_rule, 51, 3);
  evidence.train = synthetic_table("train", 4, 3, following_rule(3));
  evidence.families["orszag_tang"] = synthetic_table("test", 1, 3, following_rule(4));
  evidence.certificate = parse_csv(
      "trajectory,depth,anchors,E,C,delta,mu,L,realised,lower,upper,bound\n"
      "0,1,own,1,1,1,1,1,1,0,4,8\n",
      "test");
  evidence.noises["1"] = synthetic_table("test", 4, 3, following_rule(5));
  evidence.pixels = parse_csv(pixel_rows_to_csv({synthetic_pixels("constant", 0, 1, 1),
                                                 synthetic_pixels("spread", 0, 1, 1)}),
                              "test");
  evidence.validations = {{.stage = "denoiser", .step = 1, .score = -1}};
  std::set<std::string_view> names;
  for (const StudyEntry& row : studies()) {
    SCOPED_TRACE(std::string(row.name));
    EXPECT_TRUE(names.insert(row.name).second);
    EXPECT_FALSE(row.summary.empty() || row.paper.empty());
    const std::vector<Section> sections = row.make(evidence);
    EXPECT_FALSE(sections.empty());
    EXPECT_NO_THROW(check_sections(sections));
  }
}

// A user who has nothing learns what to measure.
TEST(Studies, AllSayWhatTheyLack) {
  Evidence evidence;
  evidence.test = synthetic_table("test", 2, 1, [](int64_t, int64_t) {
    return SyntheticRow{{"fbf", 1}};
  });
  for (const StudyEntry& row : studies()) {
    SCOPED_TRACE(std::string(row.name));
    EXPECT_THROW(row.make(evidence), Error);
  }
}

}  // namespace
}  // namespace roundtrip

#include "roundtrip/study/first_fifty.h"

#include <gtest/gtest.h>

#include "roundtrip/study/calibration_table.h"
#include "study/synthetic.h"

namespace roundtrip {
namespace {

TEST(FirstFifty, IsTheStudyOfFewer) {
  const Evidence evidence = synthetic_evidence(following_rule, 60, 3);
  Evidence fewer = evidence;
  fewer.test.curves.resize(50);
  const auto sections = study_first_fifty(evidence);
  check_sections(sections);
  const auto expected = study_calibration(fewer), whole = study_calibration(evidence);
  const auto nll = [](const std::vector<Section>& made, const std::string& title) {
    return ours_at(table_called(made, title), "C", "NLL");
  };
  const std::string title = "Calibration of log E";
  EXPECT_EQ(nll(sections, title + ", the first fifty"), nll(expected, title));
  EXPECT_NE(nll(sections, title + ", the first fifty"), nll(whole, title));
}

}  // namespace
}  // namespace roundtrip

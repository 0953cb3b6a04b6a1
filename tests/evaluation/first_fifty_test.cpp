#include "roundtrip/evaluation/first_fifty.h"

#include <gtest/gtest.h>

#include "roundtrip/evaluation/calibration_table.h"
#include "evaluation/synthetic.h"

namespace roundtrip {
namespace {

TEST(FirstFifty, IsTheTablesOfFewer) {
  const Measurements measured = synthetic_measurements(following_rule, 60, 3);
  Measurements fewer = measured;
  fewer.test.curves.resize(50);
  const auto sections = evaluate_first_fifty(measured);
  check_sections(sections);
  const auto expected = evaluate_calibration(fewer), whole = evaluate_calibration(measured);
  const auto nll = [](const std::vector<Section>& made, const std::string& title) {
    return ours_at(table_called(made, title), "C", "NLL");
  };
  const std::string title = "Calibration of log E";
  EXPECT_EQ(nll(sections, title + ", the first fifty"), nll(expected, title));
  EXPECT_NE(nll(sections, title + ", the first fifty"), nll(whole, title));
}

}  // namespace
}  // namespace roundtrip

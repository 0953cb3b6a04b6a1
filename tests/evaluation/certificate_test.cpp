#include "roundtrip/evaluation/certificate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "evaluation/synthetic.h"
#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

using testing::HasSubstr;

Measurements certificate_measurements(const std::string& rows) {
  Measurements measured;
  measured.certificate = parse_csv(
      "trajectory,depth,anchors,E,C,delta,mu,L,realised,lower,upper,bound\n" + rows, "test");
  return measured;
}

TEST(CertificateTable, ShowsMediansAndHowLooseTheyAre) {
  const auto sections =
      evaluate_certificate(certificate_measurements("0,2,shared,1,0.5,0.1,0.9,1.1,1,0.2,0.9,4\n"
                                             "1,2,shared,1,0.6,0.1,0.9,1.1,1,0.2,0.9,16\n"
                                             "2,2,shared,1,0.7,0.1,0.9,1.1,1,0.2,0.9,9\n"));
  check_sections(sections);
  const auto& table = std::get<TableSection>(sections.front());
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(table.rows[0][7].ours, 0.6);
  EXPECT_EQ(table.rows[0][10].ours, 3);
  EXPECT_THAT(table.notes.front(), HasSubstr("0 of 3"));
}

TEST(CertificateTable, CountsWhatIsViolated) {
  const auto sections =
      evaluate_certificate(certificate_measurements("0,2,own,1,0.5,0.1,0.9,1.1,1,0.2,0.9,0.5\n"
                                             "1,2,own,1,2,0.1,0.9,1.1,1,0.2,0.9,16\n"
                                             "2,2,own,1,0.1,0.1,0.9,1.1,1,0.2,0.9,9\n"
                                             "3,2,own,1,0.5,0.1,0.9,1.1,1,0.2,0.9,9\n"));
  EXPECT_THAT(std::get<TableSection>(sections.front()).notes.front(), HasSubstr("3 of 4"));
}

TEST(CertificateTable, NeedsItsTable) {
  EXPECT_THAT(error_of([] { evaluate_certificate({}); }), HasSubstr("certificate.csv"));
}

}  // namespace
}  // namespace roundtrip

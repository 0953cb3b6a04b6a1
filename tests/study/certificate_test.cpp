#include "roundtrip/study/certificate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "study/synthetic.h"
#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

using testing::HasSubstr;

Evidence certificate_evidence(const std::string& rows) {
  Evidence evidence;
  evidence.certificate = parse_csv(
      "trajectory,depth,anchors,E,C,delta,mu,L,realised,lower,upper,bound\n" + rows, "test");
  return evidence;
}

TEST(CertificateStudy, ShowsMediansAndHowLooseTheyAre) {
  const auto sections =
      study_certificate(certificate_evidence("0,2,shared,1,0.5,0.1,0.9,1.1,1,0.2,0.9,4\n"
                                             "1,2,shared,1,0.6,0.1,0.9,1.1,1,0.2,0.9,16\n"
                                             "2,2,shared,1,0.7,0.1,0.9,1.1,1,0.2,0.9,9\n"));
  check_sections(sections);
  const auto& table = std::get<TableSection>(sections.front());
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(table.rows[0][7].ours, 0.6);
  EXPECT_EQ(table.rows[0][10].ours, 3);
  EXPECT_THAT(table.notes.front(), HasSubstr("0 of 3"));
}

TEST(CertificateStudy, CountsWhatIsViolated) {
  const auto sections =
      study_certificate(certificate_evidence("0,2,own,1,0.5,0.1,0.9,1.1,1,0.2,0.9,0.5\n"
                                             "1,2,own,1,2,0.1,0.9,1.1,1,0.2,0.9,16\n"
                                             "2,2,own,1,0.1,0.1,0.9,1.1,1,0.2,0.9,9\n"
                                             "3,2,own,1,0.5,0.1,0.9,1.1,1,0.2,0.9,9\n"));
  EXPECT_THAT(std::get<TableSection>(sections.front()).notes.front(), HasSubstr("3 of 4"));
}

TEST(CertificateStudy, NeedsItsTable) {
  EXPECT_THAT(error_of([] { study_certificate({}); }), HasSubstr("certificate.csv"));
}

}  // namespace
}  // namespace roundtrip

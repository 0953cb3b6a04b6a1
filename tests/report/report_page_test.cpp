#include "roundtrip/report/report_page.h"

#include <filesystem>

#include <gmock/gmock.h>

#include "report/small_report.h"
#include "roundtrip/base/atomic_file.h"
#include "roundtrip/base/error.h"
#include "roundtrip/report/page_template.h"
#include "roundtrip/report/records_json.h"

namespace roundtrip {
namespace {

constexpr const char* kTemplate =
    "<meta name=\"generator\" content=\"roundtrip report\"><title><!--title--></title>"
    "<script><!--records--></script>";

TEST(ReportPage, HoldsTheRecords) {
  const Report report = small_report();
  const std::string page = report_page(report, kTemplate);
  const std::string head = "<title>A report</title><script>";
  const size_t start = page.find(head);
  ASSERT_NE(start, std::string::npos);
  const size_t data = start + head.size();
  const size_t end = page.find("</script>");
  EXPECT_EQ(end, page.size() - 9);
  EXPECT_EQ(parse_report(page.substr(data, end - data), "page"), report);
}

// Whatever a text says, the script element ends where the template ends it.
TEST(ReportPage, TextsCannotLeaveTheirElement) {
  const std::string nasty = "</script><script>alert(1)</script><!-- <b>&amp;</title>";
  Report report = small_report();
  report.title = nasty;
  report.summary = {nasty, "<!--title--><!--records-->"};
  const std::string page = report_page(report, kTemplate);
  EXPECT_EQ(page.find("</script>"), page.size() - 9);
  EXPECT_EQ(page.find("</title>"), page.rfind("</title>"));
  EXPECT_EQ(page.find("<!--"), std::string::npos);
  EXPECT_THAT(page, testing::HasSubstr("<title>&lt;/script&gt;"));
  const size_t data = page.find("<script>") + 8;
  EXPECT_EQ(parse_report(page.substr(data, page.size() - 9 - data), "page"), report);
}

TEST(ReportPage, KnowsItsOwn) {
  EXPECT_TRUE(is_report_page(report_page(small_report(), kTemplate)));
  EXPECT_FALSE(is_report_page("<!doctype html><title>My notes</title>"));
  EXPECT_FALSE(is_report_page(""));
}

TEST(ReportPage, ATemplateWithoutPlacesIsOurBug) {
  EXPECT_THROW(report_page(small_report(), "<title></title>"), Bug);
}

TEST(ReportPage, TheBuiltPageNeedsNothingElse) {
  if (page_template().empty()) GTEST_SKIP() << missing_page_message();
  const std::string page = report_page(small_report(), page_template());
  EXPECT_TRUE(is_report_page(page));
  EXPECT_LT(page_template().size(), 400'000u);
  for (const char* outside : {"src=\"http", "href=\"http", "@import", "url(http", "fetch("}) {
    EXPECT_EQ(page.find(outside), std::string::npos) << outside;
  }
}

TEST(ReportPage, WritesRecordsAndPage) {
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / "roundtrip_write_report";
  std::filesystem::remove_all(folder);
  const WrittenReport written = write_report(folder, small_report());
  EXPECT_EQ(read_report(written.records), small_report());
  EXPECT_EQ(written.page.empty(), page_template().empty());
  if (!written.page.empty()) {
    EXPECT_TRUE(is_report_page(read_file(written.page)));
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace roundtrip

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "cli/program.h"
#include "report/small_report.h"
#include "roundtrip/base/json_text.h"
#include "roundtrip/base/sha256.h"
#include "roundtrip/report/markdown.h"
#include "roundtrip/report/page_template.h"
#include "roundtrip/report/records_json.h"
#include "roundtrip/report/report_page.h"

namespace roundtrip {
namespace {

using testing::HasSubstr;

class ReportTest : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    write_file(folder_ / "r" / kRecordsName, to_json_text(small_report()));
  }
};

TEST_F(ReportTest, MakesThePage) {
  if (page_template().empty()) GTEST_SKIP() << missing_page_message();
  const ProgramResult plain = run("report r");
  EXPECT_EQ(plain.code, 0) << plain.err;
  EXPECT_THAT(plain.out, HasSubstr("r/report.html: "));
  EXPECT_THAT(plain.out, HasSubstr("6 sections"));
  EXPECT_EQ(read_file(folder_ / "r" / kPageName), report_page(small_report(), page_template()));
  // A page of ours is replaced, with the same bytes for the same records.
  const auto json = read_json(run("report r --json").out);
  EXPECT_EQ(json["rows"][0]["page"], "r/report.html");
  EXPECT_EQ(json["rows"][0]["bytes"], std::filesystem::file_size(folder_ / "r" / kPageName));
  EXPECT_EQ(json["rows"][0]["sections"], 6);
  EXPECT_EQ(json["context"]["data"]["sha256"], sha256_of_file(folder_ / "r" / kRecordsName));
}

TEST_F(ReportTest, KeepsWhatIsNotOurs) {
  if (page_template().empty()) GTEST_SKIP() << missing_page_message();
  write_file(folder_ / "r" / kPageName, "<title>My own</title>");
  expect_mistake(run("report r"), "r/report.html: exists and is not a report of roundtrip");
  EXPECT_EQ(read_file(folder_ / "r" / kPageName), "<title>My own</title>");
  EXPECT_EQ(run("report r --force").code, 0);
  EXPECT_TRUE(is_report_page(read_file(folder_ / "r" / kPageName)));
}

TEST_F(ReportTest, WithoutTheFrontEndItSaysWhatIsMissing) {
  if (!page_template().empty()) GTEST_SKIP() << "this build has the page";
  expect_mistake(run("report r"), "r/records.json is whole, but this build has no report page");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "r" / kPageName));
}

TEST_F(ReportTest, PutsTablesIntoAPageOfResults) {
  const std::string marks = fmt::format("{}\nstale\n{}\n", kTablesBegin, kTablesEnd);
  write_file(folder_ / "page.md", "# By hand\n\n" + marks);
  EXPECT_EQ(run("report r --markdown page.md").code, 0);
  const std::string page = read_file(folder_ / "page.md");
  EXPECT_EQ(page, with_tables(page, tables_markdown(small_report()), "page.md"));
  EXPECT_THAT(page, HasSubstr("# By hand"));
  EXPECT_THAT(page, HasSubstr("## Table\n"));
  EXPECT_THAT(page, testing::Not(HasSubstr("stale")));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "r" / kPageName));
  expect_mistake(run("report r --markdown nosuch.md"), "nosuch.md: expected a page with the lines");
}

TEST_F(ReportTest, MistakesAreOneLine) {
  expect_mistake(run("report"), "folder");
  expect_mistake(run("report nosuch"), "nosuch/records.json: no such file");
  write_file(folder_ / "r" / kRecordsName, "{\"title\": ");
  expect_mistake(run("report r"), "r/records.json: not JSON");
  write_file(folder_ / "r" / kRecordsName, "{\"title\": \"t\"}");
  expect_mistake(run("report r"), "r/records.json: expected records of a report");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "r" / kPageName));
}

}  // namespace
}  // namespace roundtrip

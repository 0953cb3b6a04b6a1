#include "roundtrip/report/markdown.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

Report two_tables() {
  Report report{.title = "A report"};
  TableSection first{.title = "First", .text = "What it is.", .columns = {"from", "a|b"}};
  first.rows = {{{.text = "C"},
                 {.ours = 0.12345, .interval = CellInterval{0.111, 0.2}, .paper = 0.5}},
                {{.text = "depth"}, {.text = "-", .paper = 2}}};
  first.notes = {"A note."};
  TableSection second{.title = "Second", .columns = {"x"}, .rows = {{{.text = "1"}}}};
  report.sections = {first, HistogramSection{}, second};
  return report;
}

TEST(Markdown, HasEveryTableWithThePapersNumbers) {
  EXPECT_EQ(tables_markdown(two_tables()),
            "## First\n\nWhat it is.\n\n"
            "| from | a\\|b |\n|---|---|\n"
            "| C | 0.123 [0.11, 0.2] (*0.5*) |\n"
            "| depth | - (*2*) |\n"
            "\nA note.\n"
            "\n## Second\n\n| x |\n|---|\n| 1 |\n");
}

TEST(Markdown, ReplacesWhatStandsBetweenTheMarks) {
  const std::string head = "# By hand\n" + std::string(kTablesBegin);
  const std::string tail = std::string(kTablesEnd) + "\nMore by hand.\n";
  const std::string page = head + "\nold\n" + tail;
  const std::string made = with_tables(page, "new\n", "page.md");
  EXPECT_EQ(made, head + "\n\nnew\n\n" + tail);
  EXPECT_EQ(with_tables(made, "new\n", "page.md"), made);  // the same again changes nothing
  EXPECT_NE(with_tables(made, "newer\n", "page.md"), made);
}

TEST(Markdown, NeedsItsMarks) {
  const std::string begin(kTablesBegin), end(kTablesEnd);
  for (const std::string& page : {std::string("no marks"), begin, end, begin + begin + end}) {
    EXPECT_THAT(error_of([&] { with_tables(page, "", "page.md"); }),
                testing::HasSubstr("page.md: expected the line"))
        << page;
  }
  EXPECT_THAT(error_of([&] { with_tables(end + begin, "", "page.md"); }),
              testing::HasSubstr("found it before"));
}

}  // namespace
}  // namespace roundtrip

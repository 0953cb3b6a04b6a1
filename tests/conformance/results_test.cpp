// Pages of results whose records are in the repository hold the tables that the records give:
// `roundtrip report DIR --markdown docs/results/<name>.md` makes them so again.
#include <filesystem>

#include <gtest/gtest.h>

#include "roundtrip/base/atomic_file.h"
#include "roundtrip/report/markdown.h"
#include "roundtrip/report/records_json.h"

namespace roundtrip {
namespace {

namespace fs = std::filesystem;

// Names of pages in `results` that are not what records/<name>/records.json gives.
std::vector<std::string> stale_pages(const fs::path& results) {
  std::vector<std::string> stale;
  if (!fs::is_directory(results / "records")) return stale;
  for (const fs::directory_entry& entry : fs::directory_iterator(results / "records")) {
    const std::string name = entry.path().filename().string() + ".md";
    const Report report = read_report(entry.path() / "records.json");
    const std::string page = read_file(results / name);
    if (with_tables(page, tables_markdown(report), name) != page) stale.push_back(name);
  }
  return stale;
}

TEST(Results, PagesAreThoseOfTheirRecords) {
  for (const std::string& name : stale_pages(fs::path(ROUNDTRIP_SOURCE_DIR) / "docs/results")) {
    ADD_FAILURE() << "docs/results/" << name << " is stale: `roundtrip report docs/results/records/"
                  << fs::path(name).stem().string() << " --markdown docs/results/" << name << "`";
  }
}

TEST(Results, AStalePageIsFound) {
  const fs::path results = fs::path(testing::TempDir()) / "stale_results";
  fs::remove_all(results);
  Report report{.title = "mhd"};
  report.sections = {TableSection{.title = "T", .columns = {"a"}, .rows = {{{.text = "1"}}}}};
  write_file(results / "records/mhd/records.json", to_json_text(report));
  const std::string marks = std::string(kTablesBegin) + "\n" + std::string(kTablesEnd) + "\n";
  write_file(results / "mhd.md", with_tables(marks, tables_markdown(report), "mhd.md"));
  EXPECT_TRUE(stale_pages(results).empty());
  write_file(results / "mhd.md", marks);
  EXPECT_EQ(stale_pages(results), std::vector<std::string>{"mhd.md"});
}

}  // namespace
}  // namespace roundtrip

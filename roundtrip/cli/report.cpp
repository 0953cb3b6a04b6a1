// The page from records: what an evaluation, a demo or another program wrote becomes one HTML file.
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "roundtrip/base/atomic_file.h"
#include "roundtrip/base/error.h"
#include "roundtrip/base/sha256.h"
#include "roundtrip/cli/command.h"
#include "roundtrip/cli/output.h"
#include "roundtrip/report/markdown.h"
#include "roundtrip/report/page_template.h"
#include "roundtrip/report/records_json.h"
#include "roundtrip/report/report_page.h"

namespace roundtrip {
namespace {

struct ReportOptions {
  std::string folder;
  std::string markdown;
  bool force = false;
  bool json = false;
};

// A page of ours is made from records that are still there; anything else is somebody's work.
void check_replaceable(const std::filesystem::path& page, bool force) {
  if (force || !std::filesystem::exists(page) || is_report_page(read_file(page))) return;
  throw Error("report", fmt::format("{}: exists and is not a report of roundtrip; --force "
                                    "replaces it",
                                    page.string()));
}

// The tables of the records in a page of results, what stands around them as it is.
void run_markdown(const ReportOptions& options, const Report& report) {
  const std::filesystem::path page = options.markdown;
  if (!std::filesystem::is_regular_file(page)) {
    throw Error("report", fmt::format("{}: expected a page with the lines {} and {}, found no file",
                                      page.string(), kTablesBegin, kTablesEnd));
  }
  write_file(page, with_tables(read_file(page), tables_markdown(report), page.string()));
  fmt::print("{}: its tables are those of {}\n", page.string(),
             (std::filesystem::path(options.folder) / kRecordsName).string());
}

void run(const ReportOptions& options) {
  const std::filesystem::path folder = options.folder;
  const std::filesystem::path records = folder / kRecordsName, page = folder / kPageName;
  if (!std::filesystem::exists(records)) {
    throw Error("report", fmt::format("{}: no such file; `reproduce` or `demo` writes it "
                                      "(docs/reference/report.md describes it)",
                                      records.string()));
  }
  const Report report = read_report(records);
  if (!options.markdown.empty()) return run_markdown(options, report);
  if (page_template().empty()) {
    throw Error("report",
                fmt::format("{} is whole, but {}", records.string(), missing_page_message()));
  }
  check_replaceable(page, options.force);
  const std::string text = report_page(report, page_template());
  write_file(page, text);
  if (options.json) {
    Provenance provenance;
    provenance.data = {{"records", records.string()}, {"sha256", sha256_of_file(records)}};
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    rows.push_back(
        {{"page", page.string()}, {"bytes", text.size()}, {"sections", report.sections.size()}});
    return print_json(provenance, rows);
  }
  fmt::print("{}: {}, {} {}\n", page.string(), human_bytes(static_cast<double>(text.size())),
             report.sections.size(), report.sections.size() == 1 ? "section" : "sections");
}

}  // namespace

Action declare_report(Options& options) {
  auto chosen = std::make_shared<ReportOptions>();
  options.add("folder", chosen->folder, "the folder of records.json", Options::Need::required);
  options.add("--markdown", chosen->markdown,
              "instead of the page, put the tables into this Markdown file, between its marks");
  options.flag("--force", chosen->force, "replace a report.html that roundtrip did not write");
  options.flag("--json", chosen->json, "print one JSON object");
  options.footer(
      "Writes report.html beside the records: one file that works from disk, with no network.\n"
      "docs/reference/report.md says what it shows and what records are.");
  return [chosen] { run(*chosen); };
}

}  // namespace roundtrip

#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "roundtrip/report/records.h"

namespace roundtrip {

/// The names of a report's files in its folder.
inline constexpr const char* kRecordsName = "records.json";
inline constexpr const char* kPageName = "report.html";

/// The page of a report: `page`, a template as `page_template()` gives it, with the records in it.
/// Works from disk with no network. An Error as `check`.
std::string report_page(const Report& report, std::string_view page);

/// Whether text is a page made by `report_page`, of this or another version.
bool is_report_page(std::string_view text);

/// What a build without the front end cannot do, and what to do about it.
std::string missing_page_message();

/// What `write_report` wrote.
struct WrittenReport {
  std::filesystem::path records;
  std::filesystem::path page;  // empty in a build without the front end
};

/// Writes records.json and, where the front end is built in, report.html into a folder, each whole
/// or not at all; files of an earlier report there are replaced.
WrittenReport write_report(const std::filesystem::path& folder, const Report& report);

}  // namespace roundtrip

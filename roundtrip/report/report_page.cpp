#include "roundtrip/report/report_page.h"

#include <fmt/format.h>

#include "roundtrip/base/atomic_file.h"
#include "roundtrip/base/error.h"
#include "roundtrip/report/page_template.h"
#include "roundtrip/report/records_json.h"

namespace roundtrip {
namespace {

// web/template.html has each of them once.
constexpr std::string_view kTitlePlace = "<!--title-->";
constexpr std::string_view kRecordsPlace = "<!--records-->";
constexpr std::string_view kMark = "<meta name=\"generator\" content=\"roundtrip report\">";

std::string html_text(std::string_view text) {
  std::string escaped;
  for (const char letter : text) {
    switch (letter) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      default:
        escaped += letter;
    }
  }
  return escaped;
}

// A script element ends at the first "</script", wherever it stands, and "<!--" changes how it is
// read. Inside JSON "<" occurs in strings only, where it has another spelling.
std::string script_text(const std::string& json) {
  std::string escaped;
  escaped.reserve(json.size());
  for (const char letter : json) {
    if (letter == '<') {
      escaped += "\\u003c";
    } else {
      escaped += letter;
    }
  }
  return escaped;
}

}  // namespace

std::string report_page(const Report& report, std::string_view page) {
  const size_t title = page.find(kTitlePlace), records = page.find(kRecordsPlace);
  ensure(title < records && records != std::string_view::npos,
         "report_page: the template has a place for the title, then one for the records");
  const std::string data = script_text(to_json_text(report));
  std::string text;
  text.reserve(page.size() + data.size() + report.title.size());
  text += page.substr(0, title);
  text += html_text(report.title);
  const size_t behind_title = title + kTitlePlace.size();
  text += page.substr(behind_title, records - behind_title);
  text += data;
  text += page.substr(records + kRecordsPlace.size());
  return text;
}

bool is_report_page(std::string_view text) {
  return text.substr(0, 1000).find(kMark) != std::string_view::npos;
}

std::string missing_page_message() {
  return "this build has no report page (it was made without Node.js); install nodejs and npm and "
         "build again with -DROUNDTRIP_WEB=ON";
}

WrittenReport write_report(const std::filesystem::path& folder, const Report& report) {
  WrittenReport written{.records = folder / kRecordsName, .page = {}};
  write_file(written.records, to_json_text(report));
  if (page_template().empty()) return written;
  written.page = folder / kPageName;
  write_file(written.page, report_page(report, page_template()));
  return written;
}

}  // namespace roundtrip

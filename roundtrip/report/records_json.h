#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "roundtrip/report/records.h"

namespace roundtrip {

/// Records as text of JSON, compact, numbers exact. An Error as `check`.
std::string to_json_text(const Report& report);

/// The records in text of the file `where`; an Error in one line for text that is not JSON, another
/// format version, members that are missing, unknown or of another kind, and as `check`.
Report parse_report(std::string_view text, const std::string& where);

/// Reads a file of records; `parse_report` on its bytes.
Report read_report(const std::filesystem::path& path);

}  // namespace roundtrip

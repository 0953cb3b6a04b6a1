#pragma once

#include <string>
#include <string_view>

#include "roundtrip/report/records.h"

namespace roundtrip {

// A page of results holds the tables of its records between these two lines; the rest is by hand.
inline constexpr std::string_view kTablesBegin = "<!-- tables: begin (roundtrip report) -->";
inline constexpr std::string_view kTablesEnd = "<!-- tables: end -->";

/// The tables of a report as Markdown: a heading each, our numbers with their intervals, the
/// paper's in italics. Figures are left out.
std::string tables_markdown(const Report& report);

/// `page`, of the file `where`, with `tables` between the two lines. An Error unless each of them
/// is there once, in this order.
std::string with_tables(const std::string& page, const std::string& tables,
                        const std::string& where);

}  // namespace roundtrip

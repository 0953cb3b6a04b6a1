#pragma once

#include <nlohmann/json.hpp>

#include "roundtrip/report/records.h"

namespace roundtrip {

/// Prints a table of a report as text; figures are for the page, and named only.
void print_section(const Section& section);

/// A table as {"title", "columns", "rows"}; cells as numbers of ours, with interval and paper's.
nlohmann::ordered_json table_json(const TableSection& table);

}  // namespace roundtrip

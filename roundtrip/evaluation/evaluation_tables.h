#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "roundtrip/base/registry.h"
#include "roundtrip/report/records.h"
#include "roundtrip/evaluation/measurements.h"

namespace roundtrip {

/// One table or figure of an evaluation: sections of a report, from measurements.
struct TableEntry {
  std::string_view name;
  std::string_view summary;
  std::string_view paper;  // where in the paper: "Table 3"
  /// An Error that says what to measure when what the table needs is not there.
  std::vector<Section> (*make)(const Measurements& measured);
};

/// All of them, by hand, in the order of a report: adding one is a file pair, a test and an entry.
const Registry<TableEntry>& evaluation_tables();

/// The sections of an entry, the paper's numbers for the measured system beside ours.
std::vector<Section> make_table(const TableEntry& entry, const Measurements& measured);

/// The entry called `name`, or so called in an earlier version: `note` then says what it is called
/// now. An Error that lists the known names for others.
const TableEntry& find_table(std::string_view name, std::string& note);

}  // namespace roundtrip

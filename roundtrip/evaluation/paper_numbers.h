#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "roundtrip/report/records.h"

namespace roundtrip {

/// What the paper states in one row of a table of ours.
struct PaperRow {
  std::string_view row;  // the first cell of ours
  int line = 0;          // of the paper's source
  std::vector<std::optional<double>> values;  // by the columns of its table
};

/// What the paper states beside one table of a system.
struct PaperTable {
  std::string_view system;                // shown beside models of this system alone
  std::string_view table;                 // the title of ours
  std::vector<std::string_view> columns;  // of ours
  std::vector<PaperRow> rows;
  std::vector<PaperRow> quoted = {};  // of other authors: rows that we have not
  std::vector<std::string_view> notes = {};
};

/// Every number of the paper that stands beside ours.
const std::vector<PaperTable>& paper_numbers();

/// Sets the paper's numbers for a system beside ours, adds the rows it quotes and the notes.
void add_paper_numbers(std::string_view system, std::vector<Section>& sections);

}  // namespace roundtrip

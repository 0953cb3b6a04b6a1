#include "roundtrip/base/csv.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "roundtrip/base/atomic_file.h"
#include "roundtrip/base/csv_reader.h"
#include "roundtrip/base/error.h"
#include "roundtrip/base/names.h"

namespace roundtrip {

bool CsvTable::has(std::string_view column) const {
  return std::find(columns.begin(), columns.end(), column) != columns.end();
}

size_t CsvTable::column(std::string_view name) const {
  const auto found = std::find(columns.begin(), columns.end(), name);
  if (found == columns.end()) {
    throw Error("csv", fmt::format("{}: {}", where, unknown_name("column", name, columns)));
  }
  return static_cast<size_t>(found - columns.begin());
}

std::vector<double> CsvTable::numbers(std::string_view name) const {
  const size_t at = column(name);
  std::vector<double> values;
  values.reserve(rows.size());
  for (const Row& row : rows) {
    values.push_back(csv_to_number(row.cells[at], where, row.line, name));
  }
  return values;
}

std::vector<std::string> CsvTable::texts(std::string_view name) const {
  const size_t at = column(name);
  std::vector<std::string> values;
  for (const Row& row : rows) values.push_back(row.cells[at]);
  return values;
}

CsvTable parse_csv(std::string_view text, const std::string& where) {
  CsvReader reader(text, where);
  CsvTable table{.where = where, .columns = reader.columns(), .rows = {}};
  while (reader.next()) {
    CsvTable::Row& row = table.rows.emplace_back();
    row.line = reader.line();
    for (size_t i = 0; i < table.columns.size(); ++i) row.cells.emplace_back(reader.text(i));
  }
  return table;
}

CsvTable read_csv(const std::filesystem::path& path) {
  return parse_csv(read_file(path), path.string());
}

std::string csv_cell(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char letter : text) {
    if (letter == '"') quoted += '"';
    quoted += letter;
  }
  return quoted + '"';
}

std::string csv_number(double value) { return fmt::format("{:.9g}", value); }

std::string csv_line(const std::vector<std::string>& cells) {
  return fmt::format("{}\n", fmt::join(cells, ","));
}

}  // namespace roundtrip

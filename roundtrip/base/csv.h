#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace roundtrip {

/// A table of text with named columns, as RFC 4180 writes it: commas, quotes doubled inside quoted
/// cells, line breaks of either kind. Empty lines count for nothing.
struct CsvTable {
  struct Row {
    int64_t line = 1;  // of the file, where the row starts
    std::vector<std::string> cells;
  };

  std::string where;  // the file, for messages
  std::vector<std::string> columns;
  std::vector<Row> rows;

  bool has(std::string_view column) const;
  /// The place of a column; an Error that lists the columns when it is not there.
  size_t column(std::string_view name) const;
  /// A column as numbers; an Error that names the line of a cell that is none. "nan" and "inf" are
  /// numbers: whether they make sense is for the caller to say.
  std::vector<double> numbers(std::string_view name) const;
  /// A column as text.
  std::vector<std::string> texts(std::string_view name) const;
};

/// Takes text apart. An Error when it has no header, a quote is never closed, or a row is not as
/// wide as the header.
CsvTable parse_csv(std::string_view text, const std::string& where);

/// Reads a file; `parse_csv` on its bytes.
CsvTable read_csv(const std::filesystem::path& path);

/// A cell as it stands in a file: quoted where it must be.
std::string csv_cell(std::string_view text);
/// A number as it stands in a file: nine significant digits, enough for any float.
std::string csv_number(double value);
/// Cells joined by commas, with the line's end.
std::string csv_line(const std::vector<std::string>& cells);

}  // namespace roundtrip

#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace roundtrip {

/// Goes through a table of text with named columns, as RFC 4180 writes it: commas, quotes doubled
/// inside quoted cells, line breaks of either kind. Empty lines count for nothing. Rows are not
/// kept, for tables of millions of them. The text outlives the reader.
///
///     CsvReader reader(text, "table.csv");
///     const size_t y = reader.column("y");
///     while (reader.next()) sum += reader.number(y);
class CsvReader {
 public:
  /// Reads the header. An Error when there is none. `where` names the file in messages.
  CsvReader(std::string_view text, std::string where);

  const std::string& where() const { return where_; }
  const std::vector<std::string>& columns() const { return columns_; }
  /// The index of a column; an Error that lists the columns when it is not there.
  size_t column(std::string_view name) const;

  /// The next row that is not empty; false at the end. An Error when a quote is never closed or the
  /// row is not as wide as the header.
  bool next();
  /// The line of the file where the row starts, from 1.
  int64_t line() const { return row_line_; }
  /// A cell of the row, without its quotes, until `next` is called again.
  std::string_view text(size_t column) const { return cells_[column]; }
  /// A cell as a number; an Error that names line and column when it is none. "nan" and "inf" are
  /// numbers: whether they make sense is for the caller to say.
  double number(size_t column) const;

 private:
  bool row();
  bool cell();
  std::string_view plain();
  void quoted_cell();

  std::string_view text_;
  std::string where_;
  size_t at_ = 0;
  int64_t line_ = 1;
  int64_t row_line_ = 1;
  std::vector<std::string> columns_;
  std::vector<std::string_view> cells_;
  std::deque<std::string> unquoted_;  // cells of the row that do not stand in the text as they are
};

/// A table kept whole.
struct CsvTable {
  struct Row {
    int64_t line = 1;  // of the file, where the row starts
    std::vector<std::string> cells;
  };

  std::string where;  // the file, for messages
  std::vector<std::string> columns;
  std::vector<Row> rows;

  bool has(std::string_view column) const;
  /// The index of a column; an Error that lists the columns when it is not there.
  size_t column(std::string_view name) const;
  /// A column as numbers, as CsvReader::number reads them.
  std::vector<double> numbers(std::string_view name) const;
  /// A column as text.
  std::vector<std::string> texts(std::string_view name) const;
};

/// All rows of a text.
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

#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace roundtrip {

/// Goes through a table of text row by row and keeps none, for tables of millions of rows; `csv.h`
/// holds a table whole. The text outlives the reader.
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
  /// The place of a column; an Error that lists the columns when it is not there.
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

/// A whole cell as a number; an Error as `CsvReader::number` otherwise.
double csv_to_number(std::string_view cell, std::string_view where, int64_t line,
                     std::string_view column);

}  // namespace roundtrip

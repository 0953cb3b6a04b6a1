#include "roundtrip/base/csv.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "roundtrip/base/atomic_file.h"
#include "roundtrip/base/error.h"
#include "roundtrip/base/names.h"

namespace roundtrip {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";  // spreadsheets write one

size_t find_column(const std::vector<std::string>& columns, std::string_view name,
                   const std::string& where) {
  const auto found = std::find(columns.begin(), columns.end(), name);
  if (found == columns.end()) {
    throw Error("csv", fmt::format("{}: {}", where, unknown_name("column", name, columns)));
  }
  return static_cast<size_t>(found - columns.begin());
}

double to_number(std::string_view cell, std::string_view where, int64_t line,
                 std::string_view column) {
  double value = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error != std::errc() || end != cell.data() + cell.size()) {
    throw Error("csv", fmt::format("{}, line {}, column {}: expected a number, found \"{}\"", where,
                                   line, column, cell));
  }
  return value;
}

}  // namespace

CsvReader::CsvReader(std::string_view text, std::string where)
    : text_(text), where_(std::move(where)) {
  if (text_.starts_with(kByteOrderMark)) text_.remove_prefix(kByteOrderMark.size());
  if (!row()) throw Error("csv", fmt::format("{}: the file is empty", where_));
  columns_.assign(cells_.begin(), cells_.end());
}

size_t CsvReader::column(std::string_view name) const {
  return find_column(columns_, name, where_);
}

bool CsvReader::next() {
  if (!row()) return false;
  if (cells_.size() != columns_.size()) {
    throw Error("csv", fmt::format("{}, line {}: expected {} cells as in the header, found {}",
                                   where_, row_line_, columns_.size(), cells_.size()));
  }
  return true;
}

double CsvReader::number(size_t column) const {
  return to_number(cells_[column], where_, row_line_, columns_[column]);
}

bool CsvReader::row() {
  do {
    if (at_ >= text_.size()) return false;
    row_line_ = line_;
    cells_.clear();
    unquoted_.clear();
    while (!cell()) continue;
  } while (cells_.size() == 1 && cells_[0].empty());
  return true;
}

// Reads one cell and what ends it; true when it was the last of its row. Most cells stand in the
// text as they are and are only pointed at.
bool CsvReader::cell() {
  if (at_ < text_.size() && text_[at_] == '"') {
    quoted_cell();
  } else {
    cells_.push_back(plain());
  }
  const bool comma = at_ < text_.size() && text_[at_] == ',';
  if (at_ < text_.size() && !comma) ++line_;
  ++at_;
  return !comma;
}

// What stands before the next comma or line's end.
std::string_view CsvReader::plain() {
  const size_t start = at_;
  while (at_ < text_.size() && text_[at_] != ',' && text_[at_] != '\n') ++at_;
  std::string_view found = text_.substr(start, at_ - start);
  if (at_ < text_.size() && text_[at_] == '\n' && found.ends_with('\r')) found.remove_suffix(1);
  return found;
}

// Quotes are taken off; text between the closing quote and the comma belongs to the cell.
void CsvReader::quoted_cell() {
  std::string& out = unquoted_.emplace_back();
  const int64_t start = line_;
  for (++at_;; ++at_) {
    if (at_ >= text_.size()) {
      throw Error("csv", fmt::format("{}, line {}: a quote is never closed", where_, start));
    }
    if (text_[at_] == '\n') ++line_;
    if (text_[at_] != '"') {
      out += text_[at_];
    } else if (at_ + 1 < text_.size() && text_[at_ + 1] == '"') {
      out += text_[++at_];
    } else {
      break;
    }
  }
  ++at_;
  out += plain();
  cells_.push_back(out);
}

bool CsvTable::has(std::string_view column) const {
  return std::find(columns.begin(), columns.end(), column) != columns.end();
}

size_t CsvTable::column(std::string_view name) const { return find_column(columns, name, where); }

std::vector<double> CsvTable::numbers(std::string_view name) const {
  const size_t at = column(name);
  std::vector<double> values;
  values.reserve(rows.size());
  for (const Row& row : rows) {
    values.push_back(to_number(row.cells[at], where, row.line, name));
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

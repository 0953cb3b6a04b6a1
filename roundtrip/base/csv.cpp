#include "roundtrip/base/csv.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "roundtrip/base/atomic_file.h"
#include "roundtrip/base/error.h"
#include "roundtrip/base/names.h"

namespace roundtrip {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";  // spreadsheets write one

class Parser {
 public:
  Parser(std::string_view text, const std::string& where) : text_(text), where_(where) {}

  // The next row that is not empty; false at the end.
  bool next(CsvTable::Row& row) {
    do {
      if (at_ >= text_.size()) return false;
      row = {line_, {}};
      while (!cell(row.cells.emplace_back())) continue;
    } while (row.cells.size() == 1 && row.cells[0].empty());
    return true;
  }

 private:
  // Reads one cell and what ends it; true when it was the last of its row.
  bool cell(std::string& out) {
    if (at_ < text_.size() && text_[at_] == '"') quoted(out);
    while (at_ < text_.size()) {
      const char letter = text_[at_++];
      if (letter == ',') return false;
      if (letter == '\n') return ++line_, true;
      if (letter == '\r' && at_ < text_.size() && text_[at_] == '\n') continue;
      out += letter;
    }
    return true;
  }

  void quoted(std::string& out) {
    const int64_t start = line_;
    for (++at_; at_ < text_.size(); ++at_) {
      if (text_[at_] == '\n') ++line_;
      if (text_[at_] != '"') {
        out += text_[at_];
      } else if (at_ + 1 < text_.size() && text_[at_ + 1] == '"') {
        out += text_[++at_];
      } else {
        ++at_;
        return;
      }
    }
    throw Error("csv", fmt::format("{}, line {}: a quote is never closed", where_, start));
  }

  std::string_view text_;
  const std::string& where_;
  size_t at_ = 0;
  int64_t line_ = 1;
};

}  // namespace

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
    const std::string& cell = row.cells[at];
    double value = 0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (error != std::errc() || end != cell.data() + cell.size()) {
      throw Error("csv", fmt::format("{}, line {}, column {}: expected a number, found \"{}\"",
                                     where, row.line, name, cell));
    }
    values.push_back(value);
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
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  CsvTable table{.where = where, .columns = {}, .rows = {}};
  Parser parser(text, where);
  CsvTable::Row row;
  if (!parser.next(row)) throw Error("csv", fmt::format("{}: the file is empty", where));
  table.columns = std::move(row.cells);
  while (parser.next(row)) {
    if (row.cells.size() != table.columns.size()) {
      throw Error("csv", fmt::format("{}, line {}: expected {} cells as in the header, found {}",
                                     where, row.line, table.columns.size(), row.cells.size()));
    }
    table.rows.push_back(std::move(row));
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

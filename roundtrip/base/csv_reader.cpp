#include "roundtrip/base/csv_reader.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "roundtrip/base/error.h"
#include "roundtrip/base/names.h"

namespace roundtrip {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";  // spreadsheets write one

}  // namespace

CsvReader::CsvReader(std::string_view text, std::string where)
    : text_(text), where_(std::move(where)) {
  if (text_.starts_with(kByteOrderMark)) text_.remove_prefix(kByteOrderMark.size());
  if (!row()) throw Error("csv", fmt::format("{}: the file is empty", where_));
  columns_.assign(cells_.begin(), cells_.end());
}

size_t CsvReader::column(std::string_view name) const {
  const auto found = std::find(columns_.begin(), columns_.end(), name);
  if (found == columns_.end()) {
    throw Error("csv", fmt::format("{}: {}", where_, unknown_name("column", name, columns_)));
  }
  return static_cast<size_t>(found - columns_.begin());
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
  return csv_to_number(cells_[column], where_, row_line_, columns_[column]);
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

double csv_to_number(std::string_view cell, std::string_view where, int64_t line,
                     std::string_view column) {
  double value = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error != std::errc() || end != cell.data() + cell.size()) {
    throw Error("csv", fmt::format("{}, line {}, column {}: expected a number, found \"{}\"", where,
                                   line, column, cell));
  }
  return value;
}

}  // namespace roundtrip

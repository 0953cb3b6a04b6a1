#include "roundtrip/report/markdown.h"

#include <fmt/format.h>

#include "roundtrip/base/error.h"

namespace roundtrip {
namespace {

// A bar would end the cell.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char letter : text) {
    if (letter == '|') out += '\\';
    out += letter;
  }
  return out;
}

// "0.93 [0.91, 0.95] (*0.97*)"
std::string cell_markdown(const TableCell& cell) {
  std::string text =
      cell.ours ? fmt::format("{:.{}g}", *cell.ours, cell.digits) : escaped(cell.text);
  if (cell.interval) {
    text += fmt::format(" [{:.2g}, {:.2g}]", cell.interval->low, cell.interval->high);
  }
  if (cell.paper) text += fmt::format(" (*{:.{}g}*)", *cell.paper, cell.digits);
  return text;
}

std::string table_markdown(const TableSection& table) {
  std::string text = fmt::format("## {}\n\n", table.title);
  if (!table.text.empty()) text += table.text + "\n\n";
  text += "|";
  for (const std::string& column : table.columns) text += fmt::format(" {} |", escaped(column));
  text += "\n|";
  for (size_t i = 0; i < table.columns.size(); ++i) text += "---|";
  text += "\n";
  for (const auto& row : table.rows) {
    text += "|";
    for (const TableCell& cell : row) text += fmt::format(" {} |", cell_markdown(cell));
    text += "\n";
  }
  for (const std::string& note : table.notes) text += fmt::format("\n{}\n", note);
  return text;
}

size_t find_once(const std::string& page, std::string_view mark, const std::string& where) {
  const size_t place = page.find(mark);
  if (place == std::string::npos || page.find(mark, place + 1) != std::string::npos) {
    throw Error("report", fmt::format("{}: expected the line {} once, found it {}", where, mark,
                                      place == std::string::npos ? "nowhere" : "more often"));
  }
  return place;
}

}  // namespace

std::string tables_markdown(const Report& report) {
  std::string text;
  for (const Section& section : report.sections) {
    const auto* table = std::get_if<TableSection>(&section);
    if (table == nullptr) continue;
    if (!text.empty()) text += "\n";
    text += table_markdown(*table);
  }
  return text;
}

std::string with_tables(const std::string& page, const std::string& tables,
                        const std::string& where) {
  const size_t begin = find_once(page, kTablesBegin, where) + kTablesBegin.size();
  const size_t end = find_once(page, kTablesEnd, where);
  if (end < begin) {
    throw Error("report", fmt::format("{}: expected the line {} after {}, found it before", where,
                                      kTablesEnd, kTablesBegin));
  }
  return page.substr(0, begin) + "\n\n" + tables + "\n" + page.substr(end);
}

}  // namespace roundtrip

#include "roundtrip/cli/print_section.h"

#include <cctype>

#include <fmt/format.h>

#include "roundtrip/cli/output.h"

namespace roundtrip {
namespace {

std::string rounded(double value, int64_t digits) { return fmt::format("{:.{}g}", value, digits); }

// "0.93 [0.91, 0.95] (paper 0.97)"
std::string cell_words(const TableCell& cell) {
  std::string words = cell.ours ? rounded(*cell.ours, cell.digits) : cell.text;
  if (cell.interval) {
    words +=
        fmt::format(" [{}, {}]", rounded(cell.interval->low, 2), rounded(cell.interval->high, 2));
  }
  if (cell.paper) words += fmt::format(" (paper {})", rounded(*cell.paper, cell.digits));
  return words;
}

std::string heading(std::string text) {
  for (char& letter : text) {
    letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  }
  return text;
}

}  // namespace

void print_section(const Section& section) {
  const auto* table = std::get_if<TableSection>(&section);
  if (table == nullptr) return;
  fmt::print("{}\n", table->title);
  if (!table->text.empty()) fmt::print("{}\n", table->text);
  std::vector<std::vector<std::string>> words(1);
  for (const std::string& column : table->columns) words[0].push_back(heading(column));
  for (const auto& row : table->rows) {
    words.emplace_back();
    for (const TableCell& cell : row) words.back().push_back(cell_words(cell));
  }
  print_table(words);
  for (const std::string& note : table->notes) fmt::print("{}\n", note);
  fmt::print("\n");
}

nlohmann::ordered_json table_json(const TableSection& table) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const auto& row : table.rows) {
    nlohmann::ordered_json cells = nlohmann::ordered_json::object();
    for (size_t i = 0; i < row.size(); ++i) {
      const TableCell& cell = row[i];
      nlohmann::ordered_json value = cell.text;
      if (cell.ours) value = {{"ours", *cell.ours}};
      if (cell.ours && cell.interval) value["interval"] = {cell.interval->low, cell.interval->high};
      if (cell.ours && cell.paper) value["paper"] = *cell.paper;
      if (!cell.ours && cell.paper) value = {{"paper", *cell.paper}};
      cells[table.columns[i]] = value;
    }
    rows.push_back(cells);
  }
  return {{"title", table.title}, {"columns", table.columns}, {"rows", rows}};
}

}  // namespace roundtrip

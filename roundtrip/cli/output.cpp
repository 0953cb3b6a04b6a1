#include "roundtrip/cli/output.h"

#include <algorithm>

#include <fmt/format.h>

#include "roundtrip/base/json_text.h"
#include "roundtrip/base/one_line.h"

namespace roundtrip {

void print_json(const Provenance& provenance, const nlohmann::ordered_json& rows) {
  const nlohmann::ordered_json object = {{"context", to_json(provenance)}, {"rows", rows}};
  fmt::print("{}\n", shown_json(object, 2));
}

void print_table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  for (const auto& row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i)
      line += fmt::format("{:<{}}  ", one_line(row[i]), widths[i]);
    line.erase(line.find_last_not_of(' ') + 1);
    fmt::print("{}\n", line);
  }
}

std::string human_bytes(double bytes) {
  constexpr const char* kUnits[] = {"B", "kB", "MB", "GB", "TB"};
  size_t unit = 0;
  while (bytes >= 1000 && unit + 1 < std::size(kUnits)) {
    bytes /= 1000;
    ++unit;
  }
  return fmt::format("{:.3g} {}", bytes, kUnits[unit]);
}

void print_note(const std::string& line) { fmt::print(stderr, "{}\n", line); }

}  // namespace roundtrip

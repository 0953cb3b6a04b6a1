#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "roundtrip/base/atomic_file.h"
#include "roundtrip/base/csv.h"
#include "roundtrip/base/error.h"
#include "roundtrip/base/json_text.h"
#include "roundtrip/base/sha256.h"
#include "roundtrip/cli/command.h"
#include "roundtrip/cli/output.h"
#include "roundtrip/metrics/scores.h"

namespace roundtrip {
namespace {

struct ScoreOptions {
  std::string table;
  std::string by;
  bool json = false;
};

/// The columns of the table that matter, and the group of each row.
struct Table {
  std::vector<double> y, mean, sigma;
  std::vector<int64_t> group;       // place in `values`
  std::vector<std::string> values;  // of the column --by, in the order they first appear
};

size_t find_column(const CsvReader& reader, const std::string& name) {
  const auto& columns = reader.columns();
  const auto found = std::find(columns.begin(), columns.end(), name);
  if (found != columns.end()) return static_cast<size_t>(found - columns.begin());
  throw Error("score", fmt::format("{}: expected columns y, mean and sigma, found no {} among: {}",
                                   reader.where(), name, fmt::join(columns, ", ")));
}

double finite_number(const CsvReader& reader, size_t column) {
  const double value = reader.number(column);
  if (std::isfinite(value)) return value;
  throw Error("score", fmt::format("{}, line {}, column {}: expected a finite number, found {}; "
                                   "leave out rows without a prediction or a truth",
                                   reader.where(), reader.line(), reader.columns()[column], value));
}

double positive_number(const CsvReader& reader, size_t column) {
  const double value = finite_number(reader, column);
  if (value > 0) return value;
  throw Error("score", fmt::format("{}, line {}, column {}: expected a deviation above 0, found "
                                   "{}; a prediction without uncertainty has no score",
                                   reader.where(), reader.line(), reader.columns()[column], value));
}

Table read_table(std::string_view text, const ScoreOptions& options) {
  CsvReader reader(text, options.table);
  const size_t y = find_column(reader, "y"), mean = find_column(reader, "mean"),
               sigma = find_column(reader, "sigma");
  const bool grouped = !options.by.empty();
  const size_t by = grouped ? reader.column(options.by) : 0;
  Table table;
  std::map<std::string, int64_t, std::less<>> groups;
  while (reader.next()) {
    table.y.push_back(finite_number(reader, y));
    table.mean.push_back(finite_number(reader, mean));
    table.sigma.push_back(positive_number(reader, sigma));
    if (!grouped) continue;
    auto place = groups.find(reader.text(by));
    if (place == groups.end()) {
      place = groups.emplace(reader.text(by), static_cast<int64_t>(groups.size())).first;
      table.values.push_back(place->first);
    }
    table.group.push_back(place->second);
  }
  if (!table.y.empty()) return table;
  throw Error("score",
              fmt::format("{}: expected rows below the header, found none", options.table));
}

nlohmann::ordered_json to_row(const Scores& scores) {
  nlohmann::ordered_json row = {{"n", scores.gaussian.n}};
  for (const ScoreColumn& column : score_columns())
    row[std::string(column.name)] = column.value(scores);
  return row;
}

std::vector<std::string> to_words(const Scores& scores) {
  std::vector<std::string> words = {fmt::format("{}", scores.gaussian.n)};
  for (const ScoreColumn& column : score_columns()) {
    words.push_back(fmt::format("{:.4g}", column.value(scores)));
  }
  return words;
}

std::string capitals(std::string text) {
  for (char& letter : text)
    letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  return text;
}

// JSON has numbers: a depth is one, a name is none.
nlohmann::ordered_json value_of(const std::string& text) {
  const auto value = read_json(text);
  return value.is_number() ? value : nlohmann::ordered_json(text);
}

/// The scores of the rows with one value of the column --by.
struct ValueScores {
  std::string text;
  nlohmann::ordered_json value;
  Scores scores;
};

// Numbers ascending, then text by its letters.
std::vector<ValueScores> score_values(const Table& table) {
  std::vector<ValueScores> results;
  for (const GroupScores& group : score_by_group({table.y, table.mean, table.sigma}, table.group)) {
    const std::string& text = table.values[static_cast<size_t>(group.label)];
    results.push_back({text, value_of(text), group.scores});
  }
  std::sort(results.begin(), results.end(), [](const ValueScores& a, const ValueScores& b) {
    const bool a_is_text = a.value.is_string(), b_is_text = b.value.is_string();
    return a_is_text == b_is_text ? a.value < b.value : b_is_text;
  });
  return results;
}

void check_by(const std::string& by) {
  for (const ScoreColumn& column : score_columns()) {
    if (by != column.name && by != "n") continue;
    throw Error("score",
                fmt::format("--by {}: that is the name of a score; rename the column", by));
  }
}

void run(const ScoreOptions& options) {
  check_by(options.by);
  const std::string text = read_file(options.table);
  const Table table = read_table(text, options);
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  std::vector<std::vector<std::string>> words = {{"N"}};
  for (const ScoreColumn& column : score_columns())
    words[0].push_back(capitals(std::string(column.name)));
  if (options.by.empty()) {
    const Scores scores = score({table.y, table.mean, table.sigma});
    rows.push_back(to_row(scores));
    words.push_back(to_words(scores));
  } else {
    words[0].insert(words[0].begin(), capitals(options.by));
    for (const ValueScores& part : score_values(table)) {
      nlohmann::ordered_json row = {{options.by, part.value}};
      row.update(to_row(part.scores));
      rows.push_back(row);
      words.push_back(to_words(part.scores));
      words.back().insert(words.back().begin(), part.text);
    }
  }
  if (!options.json) return print_table(words);
  Sha256 hash;
  hash.add(text);
  print_json(
      {.config = {}, .seed = 0, .data = {{"path", options.table}, {"sha256", hash.digest()}}},
      rows);
}

}  // namespace

Action declare_score(Options& options) {
  auto chosen = std::make_shared<ScoreOptions>();
  options.add("table", chosen->table,
              "a CSV file with columns y (what came true), mean and sigma (what was predicted)",
              Options::Need::required);
  options.add("--by", chosen->by, "a row of scores for each value of this column");
  options.flag("--json", chosen->json, "print one JSON object");
  options.footer(
      "nll in nats; x68, x95: factors that hold 68 and 95 percent when y is a natural logarithm;\n"
      "cov68, cov95: fractions within one and two sigma; ma, mace, rmsce: calibration errors as "
      "in\n"
      "uncertainty-toolbox. docs/reference/statistics.md defines them all.");
  return [chosen] { run(*chosen); };
}

}  // namespace roundtrip

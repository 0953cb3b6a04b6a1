#include "roundtrip/calibration/curves.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "roundtrip/base/error.h"
#include "roundtrip/base/names.h"

// Rows are put in one order before anything is summed, so that a table shuffled by another tool
// gives the same calibrators to the last bit.

namespace roundtrip {
namespace {

constexpr std::string_view kKeys[] = {"split", "trajectory", "depth"};

std::vector<int64_t> whole_numbers(const CsvTable& table, std::string_view column, int64_t least) {
  constexpr double kMost = 9007199254740992.0;  // 2^53: beyond it doubles skip whole numbers
  std::vector<int64_t> values;
  const std::vector<double> numbers = table.numbers(column);
  for (size_t i = 0; i < numbers.size(); ++i) {
    const double x = numbers[i];
    if (!(x >= static_cast<double>(least) && x <= kMost && x == std::floor(x))) {
      throw Error("curves",
                  fmt::format("{}, line {}, column {}: expected a whole number from {}, found {}",
                              table.where, table.rows[i].line, column, least, x));
    }
    values.push_back(static_cast<int64_t>(x));
  }
  return values;
}

void refuse_negative(const CsvTable& table, std::string_view column,
                     const std::vector<double>& values) {
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i] < 0) {
      throw Error("curves", fmt::format("{}, line {}, column {}: expected a mean square, at least "
                                        "0, found {}",
                                        table.where, table.rows[i].line, column, values[i]));
    }
  }
}

// Regenerated over all seed frames, min(i, n) / n, by depth. It is the same for every trajectory.
std::map<int64_t, double> regenerated_shares(const CurveTable& table) {
  std::map<int64_t, double> shares;
  for (const Curve& curve : table.curves) {
    const std::vector<double>&over_made = curve.column("C"), &over_n = curve.column("C_over_n");
    for (size_t i = 0; i < curve.size(); ++i) {
      const double share = over_n[i] / over_made[i];
      if (std::isfinite(share)) shares.emplace(curve.depths[i], share);
    }
  }
  return shares;
}

void rename_column(CurveTable& table, const std::string& from, const std::string& to) {
  std::replace(table.columns.begin(), table.columns.end(), from, to);
  for (Curve& curve : table.curves) {
    auto node = curve.columns.extract(from);
    node.key() = to;
    curve.columns.insert(std::move(node));
  }
}

// Version 0.1 called the mean over regenerated frames C and Eq. 3 C_over_n.
void adopt_old_names(CurveTable& table) {
  if (!table.has("C_over_n")) return;
  if (!table.has("C") || table.has("C_regenerated")) {
    throw Error("curves", fmt::format("{}: a table with C_over_n is of version 0.1: expected C "
                                      "and no C_regenerated beside it, found {}",
                                      table.where, fmt::join(table.columns, ", ")));
  }
  const std::map<int64_t, double> shares = regenerated_shares(table);
  for (const char* column : {"C_back", "C_averaged"}) {
    if (!table.has(column)) continue;
    for (Curve& curve : table.curves) {
      std::vector<double>& values = curve.columns.at(column);
      for (size_t i = 0; i < curve.size(); ++i) {
        const auto share = shares.find(curve.depths[i]);
        values[i] *= share == shares.end() ? std::numeric_limits<double>::quiet_NaN()
                                           : share->second;
      }
    }
  }
  rename_column(table, "C", "C_regenerated");
  rename_column(table, "C_over_n", "C");
  table.notes.push_back(table.where +
                        ": a table of version 0.1; its C_over_n is read as C, its C as "
                        "C_regenerated");
}

}  // namespace

const std::vector<double>& Curve::column(std::string_view name) const {
  const auto found = columns.find(name);
  if (found == columns.end()) {
    std::vector<std::string> known;
    for (const auto& [column, values] : columns) known.push_back(column);
    throw Error("curves", unknown_name("column", name, known));
  }
  return found->second;
}

void Curve::add(int64_t depth, const std::map<std::string, double>& values) {
  ensure(depth >= 1 && (depths.empty() || depth > depths.back()), "depths of a curve increase");
  for (const auto& [name, value] : values) columns[name].push_back(value);
  depths.push_back(depth);
  for (const auto& [name, column] : columns) {
    ensure(column.size() == depths.size(), "a curve has every column at every depth");
  }
}

bool CurveTable::has(std::string_view column) const {
  return std::find(columns.begin(), columns.end(), column) != columns.end();
}

int64_t CurveTable::rows() const {
  int64_t rows = 0;
  for (const Curve& curve : curves) rows += static_cast<int64_t>(curve.size());
  return rows;
}

std::vector<std::string> CurveTable::splits() const {
  std::vector<std::string> names;
  for (const Curve& curve : curves) {
    if (names.empty() || names.back() != curve.split) names.push_back(curve.split);
  }
  return names;
}

CurveTable CurveTable::split(std::string_view name) const {
  CurveTable part{.where = where, .columns = columns, .curves = {}, .notes = notes};
  for (const Curve& curve : curves) {
    if (curve.split == name) part.curves.push_back(curve);
  }
  if (part.curves.empty()) {
    throw Error("curves",
                fmt::format("{}: expected rows of the split {}, found {}; measure them with "
                            "`roundtrip cycle --split {}`, or choose another split",
                            where, name, fmt::join(splits(), ", "), name));
  }
  return part;
}

CurveTable curves_from(const CsvTable& table) {
  CurveTable result{.where = table.where, .columns = {}, .curves = {}};
  const std::vector<std::string> split = table.texts("split");
  const std::vector<int64_t> trajectory = whole_numbers(table, "trajectory", 0);
  const std::vector<int64_t> depth = whole_numbers(table, "depth", 1);
  std::vector<std::vector<double>> values;
  for (const std::string& column : table.columns) {
    if (std::find(std::begin(kKeys), std::end(kKeys), column) != std::end(kKeys)) continue;
    if (result.has(column)) {
      throw Error("curves", fmt::format("{}: column {} is there twice", table.where, column));
    }
    result.columns.push_back(column);
    values.push_back(table.numbers(column));
    refuse_negative(table, column, values.back());
  }
  if (table.rows.empty()) throw Error("curves", fmt::format("{}: no rows", table.where));

  const auto key = [&](size_t i) { return std::tie(split[i], trajectory[i], depth[i]); };
  std::vector<size_t> order(table.rows.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return key(a) < key(b); });
  for (size_t i = 0; i < order.size(); ++i) {
    const size_t row = order[i];
    if (i > 0 && key(order[i - 1]) == key(row)) {
      throw Error("curves",
                  fmt::format("{}, line {}: split {}, trajectory {}, depth {} is there already, "
                              "on line {}",
                              table.where, table.rows[row].line, split[row], trajectory[row],
                              depth[row], table.rows[order[i - 1]].line));
    }
    if (result.curves.empty() || result.curves.back().split != split[row] ||
        result.curves.back().trajectory != trajectory[row]) {
      result.curves.push_back(
          {.split = split[row], .trajectory = trajectory[row], .depths = {}, .columns = {}});
    }
    Curve& curve = result.curves.back();
    curve.depths.push_back(depth[row]);
    for (size_t c = 0; c < values.size(); ++c) {
      curve.columns[result.columns[c]].push_back(values[c][row]);
    }
  }
  adopt_old_names(result);
  return result;
}

CurveTable read_curves(const std::filesystem::path& path) { return curves_from(read_csv(path)); }

}  // namespace roundtrip

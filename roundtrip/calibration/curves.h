#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "roundtrip/base/csv.h"

namespace roundtrip {

/// What is known of one rollout: signals and errors by depth. A meter that runs along a rollout
/// appends to one; a file of curves holds many.
struct Curve {
  std::string split;
  int64_t trajectory = 0;
  std::vector<int64_t> depths;  // at least 1, increasing
  /// Column name to one value per depth. Mean squares, so at least 0; a rollout that diverged may
  /// hold infinities and NaN.
  std::map<std::string, std::vector<double>, std::less<>> columns;

  size_t size() const { return depths.size(); }
  bool has(std::string_view column) const { return columns.find(column) != columns.end(); }
  /// Values by depth; an Error that lists the columns when there is no such.
  const std::vector<double>& column(std::string_view name) const;
  /// Appends one depth, deeper than the last, with the same columns each time.
  void add(int64_t depth, const std::map<std::string, double>& values);
};

/// The table curves.csv: sorted by split and trajectory whatever the order of its rows.
struct CurveTable {
  std::string where;                 // the file, for messages
  std::vector<std::string> columns;  // signals and errors, in the file's order
  std::vector<Curve> curves;
  std::vector<std::string> notes = {};  // what was read as something else than it is called

  bool has(std::string_view column) const;
  int64_t rows() const;
  std::vector<std::string> splits() const;
  /// The curves of one split; an Error that lists the splits when there is no such.
  CurveTable split(std::string_view name) const;
};

/// Checks and sorts a table with columns split, trajectory, depth and any others, all numbers.
/// Errors name the line: a depth below 1, a negative value, a (split, trajectory, depth) twice.
/// A table of version 0.1, which has a column C_over_n, is brought to today's names with a note:
/// its C_over_n is C, its C is C_regenerated, its C_back and C_averaged become means over all seed
/// frames as C is.
CurveTable curves_from(const CsvTable& table);

/// `curves_from` a file.
CurveTable read_curves(const std::filesystem::path& path);

}  // namespace roundtrip

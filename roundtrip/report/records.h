#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

#include "roundtrip/report/colour_map.h"
#include "roundtrip/report/field_bytes.h"

// What a report is made of: plain records, one kind of section a struct. docs/reference/report.md
// shows them as JSON. A trajectory has the same label in all sections: that is how the page selects
// it everywhere.
namespace roundtrip {

/// What is predicted of an error: mean and deviation of its natural log, one entry a depth.
struct PredictedBand {
  std::vector<double> log_mean = {};
  std::vector<double> log_sigma = {};  // above 0
  bool operator==(const PredictedBand&) const = default;
};

/// Signals and errors of one trajectory, one entry a depth in every column. Columns that are not
/// known are empty. A rollout that stopped being finite ends where it did.
struct TrajectoryCurve {
  std::string label = {};
  std::vector<int64_t> depth = {};     // ascending
  std::vector<double> c = {};          // round-trip error C, MSE in standardised latents
  std::vector<double> e = {};          // true error E, the same units
  std::vector<double> log_mean = {};   // of the predicted natural log of E
  std::vector<double> log_sigma = {};  // its deviation, above 0; with log_mean or not at all
  std::map<std::string, std::vector<double>> field_errors = {};  // MSE in physical units, by field
  std::map<std::string, PredictedBand> field_bands = {};  // of the errors of some of those fields
  bool operator==(const TrajectoryCurve&) const = default;
};

/// C against E coloured by depth, and the predicted band against the true error over depth.
struct CurvesSection {
  std::string title = "Round-trip error against true error";
  std::string text = {};  // what to see in it
  std::vector<TrajectoryCurve> trajectories = {};
  bool operator==(const CurvesSection&) const = default;
};

/// A line with a name; `note` stands behind it in the legend ("MA 0.031").
struct NamedCurve {
  std::string label = {};
  std::vector<double> x = {};  // ascending
  std::vector<double> y = {};
  std::string note = {};
  bool operator==(const NamedCurve&) const = default;
};

/// Observed (y) against nominal (x) proportions of central intervals.
struct CalibrationSection {
  std::string title = "Calibration";
  std::string text = {};
  std::vector<NamedCurve> curves = {};
  bool operator==(const CalibrationSection&) const = default;
};

/// Mean error of what is kept (y) against the fraction kept (x): C, depth alone, oracle.
struct RiskCoverageSection {
  std::string title = "Risk and coverage";
  std::string text = {};
  std::vector<NamedCurve> curves = {};
  bool operator==(const RiskCoverageSection&) const = default;
};

/// A value pointed out on a histogram's axis; a trajectory's label makes it that trajectory's.
struct Mark {
  std::string label = {};
  double value = 0;
  bool operator==(const Mark&) const = default;
};

/// Counts between edges.
struct Histogram {
  std::string label = {};             // "calibration set, depth 4"
  std::optional<int64_t> depth = {};  // shown when this depth is selected
  std::vector<double> edges = {};     // ascending, one more than counts
  std::vector<int64_t> counts = {};
  std::vector<Mark> marks = {};
  bool operator==(const Histogram&) const = default;
};

/// One histogram at a time, by depth: how far a signal lies from what calibration saw.
struct HistogramSection {
  std::string title = "Out of distribution";
  std::string text = {};
  std::string axis = {};  // what is counted, "log C"
  std::vector<Histogram> histograms = {};
  bool operator==(const HistogramSection&) const = default;
};

struct CellInterval {
  double low = 0;
  double high = 0;
  bool operator==(const CellInterval&) const = default;
};

/// A word, or a number of ours with its interval and the paper's beside it.
struct TableCell {
  std::string text = {};
  std::optional<double> ours = {};
  std::optional<CellInterval> interval = {};  // of ours
  std::optional<double> paper = {};
  int64_t digits = 3;  // significant ones
  bool operator==(const TableCell&) const = default;
};

struct TableSection {
  std::string title = {};
  std::string text = {};
  std::vector<std::string> columns = {};
  std::vector<std::vector<TableCell>> rows = {};  // as wide as columns; the first cell names it
  std::vector<std::string> notes = {};
  bool operator==(const TableSection&) const = default;
};

/// Decoded pictures of one field at one depth; those that do not exist are left out.
struct FieldFrame {
  int64_t depth = 0;
  std::optional<FieldBytes> truth = {};
  std::optional<FieldBytes> rollout = {};
  std::optional<FieldBytes> difference = {};  // rollout - truth
  std::optional<FieldBytes> returned = {};    // the seed frame after the way back from this depth
  bool operator==(const FieldFrame&) const = default;
};

struct FieldSeries {
  std::string field = {};                 // "density"
  ColourMap map = ColourMap::sequential;  // diverging for fields with a sign
  std::optional<FieldBytes> seed = {};    // what `returned` should be
  std::vector<FieldFrame> frames = {};    // by ascending depth
  bool operator==(const FieldSeries&) const = default;
};

struct TrajectoryFields {
  std::string label = {};
  std::vector<FieldSeries> fields = {};
  bool operator==(const TrajectoryFields&) const = default;
};

/// A slider over depth: truth, rollout, their difference, and the seed that came back.
struct FieldsSection {
  std::string title = "Fields";
  std::string text = {};
  std::vector<TrajectoryFields> trajectories = {};
  bool operator==(const FieldsSection&) const = default;
};

using Section = std::variant<CurvesSection, CalibrationSection, RiskCoverageSection,
                             HistogramSection, TableSection, FieldsSection>;

/// Everything one page shows, in the order it shows it.
struct Report {
  std::string title = {};
  std::vector<std::string> summary = {};  // the findings, one sentence each
  nlohmann::ordered_json provenance = nlohmann::ordered_json::object();  // to_json(Provenance)
  std::vector<Section> sections = {};
  bool operator==(const Report&) const = default;
};

/// An Error that says where records (of the file `where`) contradict what is said above: columns of
/// unequal length, depths that do not ascend, numbers that are not finite, labels used twice.
void check(const Report& report, std::string_view where);

}  // namespace roundtrip

// Lines are those of the paper's source. A number is found by system, title, row and column, so
// that tables know nothing of the paper, and one of a row that a table lacks is not shown.
#include "roundtrip/evaluation/paper_numbers.h"

#include <algorithm>
#include <string>

#include "roundtrip/evaluation/cells.h"
#include "roundtrip/evaluation/first_fifty.h"

namespace roundtrip {
namespace {

// Its Table 2, and Sec. 6.1 and 6.2.
const std::vector<PaperTable>& mhd_signals() {
  static const std::vector<PaperTable> tables = {
      {"mhd",
       "Signals: ranking the error",
       {"at depth 20", "within", "within, deviation"},
       {{"C", 511, {.97}}, {"C", 552, {{}, .69, .16}}, {"spread over initial noises", 513, {.98}}}},
      {"mhd",
       "Signals: predicting the error",
       {"NLL", "x68", "vortex, depth 5", "vortex, depth 10", "vortex, mean", "cost"},
       {{"C", 511, {-.62, 1.14, 1.00, 1.00, .98, 2}},
        {"spread over initial noises", 513, {-.99, 1.09, .00, {}, {}, 5}}}},
      {"mhd",
       "C and E at a fixed depth",
       {"Spearman"},
       {{"20", 555, {.97}}, {"80", 554, {.91}}},
       {},
       {"The paper has Spearman 0.91 to 0.98 at depths 5, 10, 20, 40 and 80."}},
      {"mhd", "C and E along a rollout", {"mean", "deviation"}, {{"Spearman", 552, {.69, .16}}}},
      {"mhd",
       "Gain by depth",
       {"C over depth"},
       {{"all depths", 547, {1.0}}},
       {},
       {"The paper has 0.6 to 1.3 nats for C over depth at depths 5, 10, 20, 40 and 80."}},
  };
  return tables;
}

// Its Table 3, Supp. Table 1 and Supp. Sec. E.
const std::vector<PaperTable>& mhd_calibration() {
  static const std::vector<PaperTable> tables = {
      {"mhd",
       "Calibration of log E",
       {"NLL", "RMSE", "x68", "x95", "in 1 sigma", "in 2 sigma", "area"},
       {{"constant", 599, {1.44, 1.02, 1.94, 9.83, .875, .937, .095}},
        {"depth", 600, {.38, .34, 1.41, 1.92, .518, .843, .059}},
        {"C", 601, {-.62, .13, 1.14, 1.29, .663, .951, .013}}}},
      {"mhd",
       "Errors of decoded fields",
       {"gain", "x68", "x95", "in 1 sigma", "in 2 sigma", "area"},
       {{"density", 1497, {.73, 1.18, 1.39, .636, .925, .022}},
        {"velocity_x", 1498, {.73, 1.17, 1.37, .651, .931, .058}},
        {"velocity_y", 1499, {.72, 1.19, 1.38, .630, .937, .040}},
        {"pressure", 1500, {.67, 1.30, 1.64, .672, .951, .042}},
        {"magnetic_field_x", 1501, {.32, 1.27, 1.66, .743, .961, .024}},
        {"magnetic_field_y", 1502, {.36, 1.26, 1.57, .639, .920, .059}},
        {"mean", 565, {.59}}}},
      {"mhd",
       "What C gains from its own past",
       {"gain"},
       {{"C, mean of the rollout, depth (post hoc)", 1518, {.26}},
        {"... and early level, slope (post hoc)", 1523, {.01}}}},
      {"mhd",
       "Miscalibration area by depth",
       {"C", "C, mean of the rollout, depth (post hoc)"},
       {{"40", 1520, {.23, .09}}, {"80", 1528, {.27, .22}}}},
  };
  return tables;
}

// Its Sec. 6.3, Fig. 3 and Supp. Sec. B.
const std::vector<PaperTable>& mhd_uses() {
  static const std::vector<PaperTable> tables = {
      {"mhd",
       "Selective prediction over all depths",
       {"90 % kept", "80 % kept", "70 % kept"},
       {{"C", 622, {.07, .15, .23}}, {"depth", 623, {.02, .05, .09}}}},
      {"mhd",
       "Out of distribution: orszag_tang",
       {"C"},
       {{"5", 629, {1.0}}, {"10", 629, {1.0}}, {"mean over depths", 630, {.98}}}},
      {"mhd",
       "Variance of log C and log E",
       {"sigma_b", "sigma_w", "ICC", "reliability"},
       {{"log E", 1097, {.250, .074, .92, .96}}, {"log C", 1098, {.349, .118, .90, .95}}},
       {},
       {"The paper's numbers are of training trajectories."}},
      {"mhd",
       "What the variance allows",
       {"value"},
       {{"ceiling of the correlation, noises independent", 1117, {.91}}}},
      {"radiative_layer",
       "Variance of log C and log E",
       {"sigma_b", "sigma_w", "ICC", "reliability"},
       {{"log E", 1099, {.104, .191, .23, .48}}, {"log C", 1100, {.057, .220, .06, .25}}},
       {},
       {"The paper's numbers are of training trajectories."}},
      {"radiative_layer",
       "What the variance allows",
       {"value"},
       {{"ceiling of the correlation, noises independent", 1117, {.12}},
        {"recoverable gain, mean of C over depths", 1140, {.11}}}},
  };
  return tables;
}

// Its Table 4, Sec. 6.6 and Supp. Sec. E; the share within one sigma and the kurtosis are stated of
// the composed sigma alone.
const std::vector<PaperTable>& benchmark() {
  static const std::vector<PaperTable> tables = {
      {"navier_stokes",
       "Sigmas of pixels: vorticity, 10 frames",
       {"MA", "MACE", "RMSCE", "relative L2", "absolute error", "in 1 sigma", "kurtosis"},
       {{"C, one sigma a frame", 783, {.100, .099, .112, .244, .204}},
        {"C, shaped by the third leg", 785, {.088, .087, .099, .244, .204}},
        {"spread of samples, scaled", 787, {.118, .117, .133, .242, .203}},
        {"C, shaped by the spread", 789, {.082, .081, .092, .242, .203}},
        {"C, shaped by the spread", 1566, {{}, {}, {}, {}, {}, .80, 10}},
        {"depth, one sigma a frame", 791, {.090, .089, .102, .244, .204}}},
       {{"LE-PDE, no sigma", 773, {{}, {}, {}, .189, .161}},
        {"LE-PDE with learned sigma", 775, {.058, .057, .065, .211, .181}},
        {"ten of them, spread alone", 777, {.182, .181, .202, .190, .161}},
        {"ten of them with learned sigma", 779, {.014, .014, .016, .190, .161}}},
       {"Quoted rows are the paper's, of the FNO's own 1200 trajectories, and were not run here."}},
      {"navier_stokes",
       "Mean of the samples: vorticity",
       {"relative L2", "gain in percent"},
       {{"one sample", 720, {.244}}, {"mean of all", 787, {.242}}, {"mean of all", 731, {{}, .6}}}},
      {"navier_stokes",
       "Error over the spread of samples",
       {},
       {},
       {},
       {"The paper: about 14, over all depths."}},
      {"navier_stokes",
       "Error of test over training trajectories",
       {"ratio"},
       {{"10", 1553, {6.3}}, {"all depths", 1553, {4.8}}}},
      // Of the relative L2 of decoded vorticity: a root, not a mean square.
      {"navier_stokes",
       "Growth of the mean error",
       {"r of the root", "its misfit"},
       {{"E_vorticity", 708, {1.21, .05}}}},
  };
  return tables;
}

TableCell* find_cell(TableSection& table, std::string_view row, std::string_view column) {
  const auto place = std::find(table.columns.begin(), table.columns.end(), column);
  if (place == table.columns.end()) return nullptr;
  for (auto& cells : table.rows) {
    if (cells.front().text != row) continue;
    return &cells[static_cast<size_t>(place - table.columns.begin())];
  }
  return nullptr;
}

void add_quoted(TableSection& table, const PaperTable& paper, const PaperRow& row) {
  table.rows.emplace_back(table.columns.size(), word("-"));
  table.rows.back().front() = word(std::string(row.row) + " (quoted)");
  for (size_t i = 0; i < row.values.size(); ++i) {
    const auto place = std::find(table.columns.begin(), table.columns.end(), paper.columns[i]);
    if (!row.values[i] || place == table.columns.end()) continue;
    table.rows.back()[static_cast<size_t>(place - table.columns.begin())] = quoted(*row.values[i]);
  }
}

void add_to(TableSection& table, const PaperTable& paper) {
  for (const PaperRow& row : paper.rows) {
    for (size_t i = 0; i < row.values.size(); ++i) {
      TableCell* cell = row.values[i] ? find_cell(table, row.row, paper.columns[i]) : nullptr;
      if (cell != nullptr) cell->paper = row.values[i];
    }
  }
  for (const PaperRow& row : paper.quoted) add_quoted(table, paper, row);
  table.notes.insert(table.notes.end(), paper.notes.begin(), paper.notes.end());
}

}  // namespace

const std::vector<PaperTable>& paper_numbers() {
  static const std::vector<PaperTable> all = [] {
    std::vector<PaperTable> joined;
    for (const auto* part : {&mhd_calibration(), &mhd_signals(), &mhd_uses(), &benchmark()}) {
      joined.insert(joined.end(), part->begin(), part->end());
    }
    return joined;
  }();
  return all;
}

void add_paper_numbers(std::string_view system, std::vector<Section>& sections) {
  for (Section& section : sections) {
    auto* table = std::get_if<TableSection>(&section);
    if (table == nullptr) continue;
    std::string_view title = table->title;
    if (title.ends_with(kFirstFifty)) title.remove_suffix(kFirstFifty.size());
    for (const PaperTable& paper : paper_numbers()) {
      if (paper.system == system && paper.table == title) add_to(*table, paper);
    }
  }
}

}  // namespace roundtrip

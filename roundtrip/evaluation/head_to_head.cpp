#include "roundtrip/evaluation/head_to_head.h"

#include <array>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "roundtrip/base/error.h"
#include "roundtrip/calibration/pixel_tally.h"
#include "roundtrip/evaluation/cells.h"
#include "roundtrip/evaluation/estimate.h"

namespace roundtrip {
namespace {

/// What the paper has in a row: area, MACE, RMSCE, relative L2, absolute error, share within one
/// sigma, kurtosis.
using PaperNumbers = std::array<std::optional<double>, 7>;
constexpr int64_t kPaperDepth = 10;  // frames of its rollouts

/// A row of ours: an object, its cost, and the paper's numbers for it.
struct ObjectRow {
  const char* object;
  const char* title;
  int64_t cost;  // rollouts to a depth: there; with C back; and there again; samples
  PaperNumbers paper;
};
constexpr ObjectRow kObjects[] = {
    {"constant", "C, one sigma a frame", 2, {.100, .099, .112, .244, .204}},
    {"cycle", "C, shaped by the third leg", 3, {.088, .087, .099, .244, .204}},
    {"spread", "spread of samples, scaled", 5, {.118, .117, .133, .242, .203}},
    {"composed", "C, shaped by the spread", 6, {.082, .081, .092, .242, .203, .80, 10}},
    {"depth", "depth, one sigma a frame", 1, {.090, .089, .102, .244, .204}},
};

/// A row the paper quotes from the benchmark's authors.
struct QuotedRow {
  const char* title;
  PaperNumbers paper;
};
constexpr QuotedRow kQuoted[] = {
    {"LE-PDE, no sigma", {{{}, {}, {}, .189, .161, {}, {}}}},
    {"LE-PDE with learned sigma", {.058, .057, .065, .211, .181}},
    {"ten of them, spread alone", {.182, .181, .202, .190, .161}},
    {"ten of them with learned sigma", {.014, .014, .016, .190, .161}},
};

using RowsByObject = std::map<std::string, std::vector<const PixelRow*>>;

std::vector<Estimate> scores_of(const std::vector<const PixelRow*>& rows) {
  return estimate_each(rows.size(), [&](std::span<const size_t> chosen) {
    std::vector<const PixelTally*> tallies;
    for (const size_t i : chosen) tallies.push_back(&rows[i]->tally);
    const PixelScores scores = pool_pixels(tallies);
    return std::vector<std::optional<double>>{
        scores.errors.ma,      scores.errors.mace, scores.errors.rmsce, scores.relative_l2,
        scores.absolute_error, scores.within_one,  scores.kurtosis,     scores.kurtosis - 3};
  });
}

std::vector<TableCell> cells_of(const ObjectRow& row, const std::vector<const PixelRow*>& rows,
                                const Measurements& measured) {
  const auto found = scores_of(rows);
  std::vector<TableCell> cells = {word(row.title)};
  for (size_t i = 0; i < found.size(); ++i) {
    const bool stated = i < row.paper.size() && rows.front()->depth == kPaperDepth;
    const auto paper = stated ? row.paper[i] : std::nullopt;
    cells.push_back(number(found[i], paper_value(measured, "navier_stokes", paper)));
  }
  cells.push_back(number(rows.front()->fit.kappa));
  cells.push_back(number(rows.front()->fit.lambda));
  cells.push_back(count(row.cost));
  return cells;
}

std::vector<TableCell> cells_of(const QuotedRow& row, size_t width) {
  std::vector<TableCell> cells = {word(std::string(row.title) + " (quoted)")};
  for (const auto& value : row.paper) cells.push_back(value ? quoted(*value) : word("-"));
  cells.resize(width, word("-"));
  return cells;
}

TableSection table_of(const std::string& field, const RowsByObject& rows,
                      const Measurements& measured) {
  TableSection table;
  table.title = fmt::format("Sigmas of pixels: {}", field);
  const PixelRow& any = *rows.begin()->second.front();
  table.text = fmt::format(
      "Central intervals of all pixels of {} predicted frames of the test rollouts. Scale (kappa) "
      "and "
      "mixing (lambda) of every object were fitted to calibration rollouts. Spread and mean are of "
      "{} "
      "samples.",
      any.depth, any.samples);
  table.columns = {"sigma from", "MA",       "MACE",   "RMSCE", "relative L2", "absolute error",
                   "in 1 sigma", "kurtosis", "excess", "kappa", "lambda",      "rollouts"};
  for (const ObjectRow& row : kObjects) {
    const auto found = rows.find(row.object);
    if (found != rows.end()) table.rows.push_back(cells_of(row, found->second, measured));
  }
  if (measured.system == "navier_stokes" && any.depth == kPaperDepth) {
    for (const QuotedRow& row : kQuoted) table.rows.push_back(cells_of(row, table.columns.size()));
    table.notes.push_back(
        "Quoted rows are the paper's, of the FNO's own 1200 trajectories, and were not run here.");
  }
  table.notes.push_back(
      "\"rollouts\" counts model steps to one depth with five samples, the rollout itself "
      "included. "
      "The paper counts 2 for the depth, which needs no way back, and 5 for the composition, which "
      "needs C too.");
  return table;
}

}  // namespace

std::vector<Section> evaluate_head_to_head(const Measurements& measured) {
  if (!measured.pixels) {
    throw Error("evaluation",
                "head_to_head: expected the table pixels.csv, found none; `roundtrip reproduce` "
                "measures it for models of navier_stokes, unless --depths leaves one out");
  }
  const std::vector<PixelRow> rows = pixel_rows_from(*measured.pixels);
  std::map<std::string, RowsByObject> fields;
  for (const PixelRow& row : rows) fields[row.field][row.object].push_back(&row);
  std::vector<Section> sections;
  for (const auto& [field, objects] : fields)
    sections.push_back(table_of(field, objects, measured));
  return sections;
}

}  // namespace roundtrip

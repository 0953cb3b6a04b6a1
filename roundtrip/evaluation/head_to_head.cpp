#include "roundtrip/evaluation/head_to_head.h"

#include <map>
#include <utility>

#include <fmt/format.h>

#include "roundtrip/base/error.h"
#include "roundtrip/calibration/pixel_tally.h"
#include "roundtrip/evaluation/cells.h"
#include "roundtrip/evaluation/estimate.h"

namespace roundtrip {
namespace {

/// A row: an object and its cost.
struct ObjectRow {
  const char* object;
  const char* title;
  int64_t cost;  // rollouts to a depth: there; with C back; and there again; samples
};
constexpr ObjectRow kObjects[] = {
    {"constant", "C, one sigma a frame", 2},      {"cycle", "C, shaped by the third leg", 3},
    {"spread", "spread of samples, scaled", 5},   {"composed", "C, shaped by the spread", 6},
    {"depth", "depth, one sigma a frame", 1},
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

std::vector<TableCell> cells_of(const ObjectRow& row, const std::vector<const PixelRow*>& rows) {
  std::vector<TableCell> cells = {word(row.title)};
  for (const Estimate& score : scores_of(rows)) cells.push_back(number(score));
  cells.push_back(number(rows.front()->fit.kappa));
  cells.push_back(number(rows.front()->fit.lambda));
  cells.push_back(count(row.cost));
  return cells;
}

TableSection table_of(const std::string& field, const RowsByObject& rows) {
  TableSection table;
  const PixelRow& any = *rows.begin()->second.front();
  table.title = fmt::format("Sigmas of pixels: {}, {} frames", field, any.depth);
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
    if (found != rows.end()) table.rows.push_back(cells_of(row, found->second));
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
    sections.push_back(table_of(field, objects));
  return sections;
}

}  // namespace roundtrip

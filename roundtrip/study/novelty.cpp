#include "roundtrip/study/novelty.h"

#include <algorithm>

#include <fmt/format.h>

#include "roundtrip/base/error.h"
#include "roundtrip/report/named_curves.h"
#include "roundtrip/study/alarm_rates.h"
#include "roundtrip/study/cells.h"
#include "roundtrip/study/depth_grid.h"
#include "roundtrip/study/family_errors.h"
#include "roundtrip/study/family_standing.h"
#include "roundtrip/study/needs.h"
#include "roundtrip/study/signal_list.h"

namespace roundtrip {
namespace {

// AUROC by C of the vortex among the test rollouts of MHD; 0.64 to 0.88 at depths between.
std::optional<double> paper_standing(const Evidence& evidence, const std::string& family,
                                     const std::string& column, std::optional<int64_t> depth) {
  if (family != "orszag_tang" || column != "C") return std::nullopt;
  if (!depth) return paper_value(evidence, "mhd", .98);
  return *depth == 5 || *depth == 10 ? paper_value(evidence, "mhd", 1.) : std::nullopt;
}

// The truth beside C.
std::vector<ComparedSignal> compared_columns(const CurveTable& test) {
  std::vector<ComparedSignal> signals = main_signals_in(test);
  signals.insert(signals.begin() + 1, ComparedSignal{"E", "E", false});
  return signals;
}

TableSection standing_table(const Evidence& evidence, const std::string& name,
                            const CurveTable& family) {
  TableSection table;
  table.title = "Out of distribution: " + name;
  table.text = fmt::format(
      "Mean percentile of its {} rollouts among the test ones, which is the "
      "AUROC of telling the two apart. E is the truth: whether they are worse.",
      family.curves.size());
  table.columns = {"depth"};
  std::vector<ComparedSignal> signals;
  std::vector<FamilyStanding> found;
  for (const ComparedSignal& signal : compared_columns(evidence.test)) {
    FamilyStanding standing = family_standing(evidence.test, family, signal.column);
    if (standing.depths.empty()) continue;
    table.columns.push_back(signal.title);
    signals.push_back(signal);
    found.push_back(std::move(standing));
  }
  const auto add = [&](TableCell title, std::optional<int64_t> depth) {
    std::vector<TableCell> row = {std::move(title)};
    for (size_t i = 0; i < found.size(); ++i) {
      row.push_back(number(depth ? found[i].at(*depth) : found[i].by_mean,
                           paper_standing(evidence, name, signals[i].column, depth)));
    }
    table.rows.push_back(row);
  };
  for (const int64_t depth : shared_depths(family, {"C"})) add(count(depth), depth);
  add(word("mean over depths"), {});
  return table;
}

// Of single rollouts: many marks would hide the histogram.
std::vector<Mark> single_marks(const Evidence& evidence, int64_t depth) {
  std::vector<Mark> marks;
  for (const auto& [name, family] : evidence.families) {
    const std::vector<int64_t> depths = finite_depths(family, {"C"});
    if (family.curves.size() != 1 || !std::binary_search(depths.begin(), depths.end(), depth)) {
      continue;
    }
    marks.push_back({name, log_of(grid_of(family, "C", {depth})).values.front()});
  }
  return marks;
}

HistogramSection histograms(const Evidence& evidence, const std::vector<int64_t>& depths) {
  HistogramSection section;
  section.title = "log C of the test rollouts";
  section.text = "Rollouts of other kinds are marked where there is one of a kind.";
  section.axis = "log C";
  for (const int64_t depth : nearest_depths(depths, {1, 5, 10, 20, 40, 80})) {
    Histogram histogram = to_histogram(fmt::format("test, depth {}", depth),
                                       log_of(grid_of(evidence.test, "C", {depth})).values);
    histogram.depth = depth;
    histogram.marks = single_marks(evidence, depth);
    section.histograms.push_back(std::move(histogram));
  }
  return section;
}

}  // namespace

std::vector<Section> study_novelty(const Evidence& evidence) {
  const std::vector<int64_t> depths = need_depths(evidence.test, "novelty", {"C", "E"});
  if (evidence.families.empty()) {
    throw Error("study",
                fmt::format("novelty: expected tables family-<name>.csv of other kinds of rollouts "
                            "beside {}, found none; measure with `roundtrip cycle --data FAMILY "
                            "--out family-<name>.csv`",
                            evidence.test.where));
  }
  std::vector<Section> sections;
  for (const auto& [name, family] : evidence.families) {
    need_columns(family, "novelty", {"C", "E"});
    sections.emplace_back(standing_table(evidence, name, family));
    sections.emplace_back(family_errors_table(evidence, name, {&family}));
  }
  if (evidence.families.size() > 1) {
    std::vector<const CurveTable*> all;
    for (const auto& [name, family] : evidence.families) all.push_back(&family);
    sections.emplace_back(family_errors_table(evidence, "all kinds", all));
  }
  if (const auto rates = alarm_rates_table(evidence)) sections.emplace_back(*rates);
  sections.emplace_back(histograms(evidence, depths));
  return sections;
}

}  // namespace roundtrip

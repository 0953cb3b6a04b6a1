// The paper's tables and figures from a model: test trajectories and other kinds are solved afresh,
// measured, and evaluated.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "roundtrip/base/error.h"
#include "roundtrip/base/interrupt.h"
#include "roundtrip/calibration/calibrator_file.h"
#include "roundtrip/cli/command.h"
#include "roundtrip/cli/measurement_bars.h"
#include "roundtrip/cli/model_options.h"
#include "roundtrip/cli/output.h"
#include "roundtrip/cli/print_section.h"
#include "roundtrip/cli/shipped_models.h"
#include "roundtrip/measurement/reproduction.h"
#include "roundtrip/models/bundle.h"
#include "roundtrip/nn/compute_threads.h"
#include "roundtrip/report/report_page.h"
#include "roundtrip/evaluation/cells.h"
#include "roundtrip/evaluation/scored_fit.h"
#include "roundtrip/evaluation/evaluation_tables.h"

namespace roundtrip {
namespace {

struct ReproduceOptions {
  std::vector<std::string> tables;
  std::string model;
  std::string out = "reproduce";
  uint64_t test_seed = 20261116;  // first used when the shipped models were final
  int64_t test = 120;
  int64_t train = 60;
  std::string depths;
  std::string signals = "standard";
  bool tables_only = false;
  bool force = false;
  bool json = false;
};

std::vector<const TableEntry*> chosen_tables(const std::vector<std::string>& names) {
  std::vector<const TableEntry*> chosen;
  for (const std::string& name : names) {
    std::string note;
    chosen.push_back(&find_table(name, note));
    if (!note.empty()) fmt::print(stderr, "Note: {}.\n", note);
  }
  if (!chosen.empty()) return chosen;
  for (const TableEntry& row : evaluation_tables()) chosen.push_back(&row);
  return chosen;
}

/// What came of the tables: sections, and what could not be made.
struct Findings {
  std::vector<Section> sections;
  std::vector<std::string> missing;
};

// Asked for by name, a table that lacks something is an error; among all of them, a note.
Findings make_tables(const Measurements& measured, const std::vector<const TableEntry*>& tables,
                     bool by_name) {
  Findings found;
  for (const TableEntry* row : tables) {
    stop_if_interrupted();
    try {
      for (Section& section : make_table(*row, measured)) found.sections.push_back(std::move(section));
    } catch (const Error& error) {
      if (by_name) throw;
      found.missing.push_back(fmt::format("{}: {}", row->name, error.what()));
    }
  }
  return found;
}

nlohmann::ordered_json to_rows(const std::vector<Section>& sections) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const Section& section : sections) {
    if (const auto* table = std::get_if<TableSection>(&section)) rows.push_back(table_json(*table));
  }
  return rows;
}

Reproduction measure(const ReproduceOptions& options, const std::string& model,
                     const CalibratorSet& calibrators) {
  if (options.tables_only) {
    Reproduction there;
    there.tables = measured_tables(options.out);
    return there;
  }
  ReproductionRequest request{.folder = options.out,
                              .model = model,
                              .test_seed = options.test_seed,
                              .test = options.test,
                              .train = options.train,
                              .depths = {},
                              .signals = expand_signals(split_list(options.signals)),
                              .force = options.force};
  if (!options.depths.empty()) request.depths = parse_depths(options.depths);
  MeasurementBars bars;
  return measure_model(request, calibrators, bars.progress());
}

Measurements measurements_of(const ReproduceOptions& options, const std::string& model,
                     const Reproduction& reproduction, CalibratorSet calibrators) {
  const std::filesystem::path folder = std::filesystem::path(model) / "";
  Measurements measured =
      read_measurements(options.out, reproduction.tables, std::move(calibrators));
  const ModelMetadata facts = read_bundle_metadata(model);
  measured.model = folder.parent_path().filename();
  measured.system = facts.layout.dataset;
  measured.scale =
      fmt::format("{}: {} x {} cells, {} test trajectories", measured.model, facts.layout.height,
                  facts.layout.width, measured.test.curves.size());
  measured.cost = reproduction.costs;
  if (std::filesystem::exists(folder / "training.jsonl")) {
    measured.validations = read_validations(folder / "training.jsonl");
  }
  return measured;
}

TableSection missing_table(const std::vector<std::string>& lines) {
  TableSection table;
  table.title = "Not made";
  table.text = "Tables that lack something, and what.";
  table.columns = {"table and reason"};
  for (const std::string& line : lines) table.rows.push_back({word(line)});
  return table;
}

// Of tables measured elsewhere their own records tell.
Provenance provenance_of(const ReproduceOptions& options, const Measurements& measured) {
  Provenance provenance;
  if (!options.tables_only) {
    provenance.config = fmt::format("test = {}\ntrain = {}\ndepths = \"{}\"\nsignals = \"{}\"\n",
                                    options.test, options.train, options.depths,
                                    fmt::join(expand_signals(split_list(options.signals)), ","));
    provenance.seed = options.test_seed;
  }
  provenance.data = {{"model", measured.model},
                     {"fingerprint", measured.calibrators.fingerprint},
                     {"tables", measured.records}};
  return provenance;
}

void run(const ReproduceOptions& options) {
  // A misspelt one is reported before anything is measured.
  const std::vector<const TableEntry*> tables = chosen_tables(options.tables);
  catch_interrupts();
  use_all_threads();
  const std::string model =
      options.model.empty() ? shipped_model("mhd-small") : model_path(options.model);
  const CalibratorSet calibrators =
      read_calibrators(std::filesystem::path(model) / "calibrators.json");
  const Reproduction reproduction = measure(options, model, calibrators);
  const Measurements measured = measurements_of(options, model, reproduction, calibrators);
  const Findings found = make_tables(measured, tables, !options.tables.empty());
  const Provenance provenance = provenance_of(options, measured);
  Report report;
  report.title = fmt::format("{}: how well it knows its own error", measured.model);
  report.summary = {measured.scale + "."};
  const auto finding = verdict_on_test(measured);
  if (finding) report.summary.push_back(*finding);
  const std::string note = version_note(measured.calibrators);
  if (!note.empty()) report.summary.push_back(note);
  report.summary.insert(report.summary.end(), measured.notes.begin(), measured.notes.end());
  report.provenance = to_json(provenance);
  report.sections = found.sections;
  const auto& pictures = reproduction.pictures;
  report.sections.insert(report.sections.end(), pictures.begin(), pictures.end());
  if (!found.missing.empty()) report.sections.push_back(missing_table(found.missing));
  const WrittenReport written = write_report(options.out, report);
  if (options.json) return print_json(provenance, to_rows(found.sections));
  fmt::print("{}\n\n", measured.scale);
  for (const Section& section : found.sections) print_section(section);
  for (const std::string& line : found.missing) fmt::print("Not made: {}\n", line);
  if (finding) fmt::print("\n{}\n", *finding);
  for (const std::string& line : measured.notes) fmt::print("Note: {}.\n", line);
  fmt::print("Page: {}\n", written.page.empty() ? missing_page_message()
                                                : std::filesystem::absolute(written.page).string());
}

}  // namespace

Action declare_reproduce(Options& options) {
  auto chosen = std::make_shared<ReproduceOptions>();
  options.add("tables", chosen->tables, "which, by the names below; none = all");
  options.add("--model", chosen->model, "a bundle with calibrators; unless given, mhd-small");
  options.add("--out", chosen->out, "folder for tables, page and trajectories; continued if there");
  options.add("--test-seed", chosen->test_seed, "of the test trajectories");
  options.add("--test", chosen->test, "how many test trajectories", 2, 1'000'000);
  options.add("--train", chosen->train, "how many training trajectories, to compare", 0, 1'000'000);
  options.add("--depths", chosen->depths,
              "depths measured: 1,2,4 or 1-28; unless given, those of the calibrators");
  options.add("--signals", chosen->signals,
              "signals measured, or a group of them; `roundtrip list` has all");
  options.flag("--force", chosen->force, "solve and measure again what is there");
  options.flag("--tables-only", chosen->tables_only,
               "evaluate what is in --out, as `cycle` writes it; measure nothing");
  options.add_threads();
  options.flag("--json", chosen->json, "print one JSON object");
  std::string names = "Tables:\n";
  for (const TableEntry& row : evaluation_tables()) {
    names += fmt::format("  {:<20} {} ({})\n", row.name, row.summary, row.paper);
  }
  options.footer(names);
  return [chosen] { run(*chosen); };
}

}  // namespace roundtrip

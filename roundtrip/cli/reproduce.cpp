// The paper's tables and figures from a model: test trajectories and other kinds are solved afresh,
// measured, and studied.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "roundtrip/base/error.h"
#include "roundtrip/base/interrupt.h"
#include "roundtrip/calibration/calibrator_file.h"
#include "roundtrip/cli/command.h"
#include "roundtrip/cli/gather_progress.h"
#include "roundtrip/cli/model_options.h"
#include "roundtrip/cli/output.h"
#include "roundtrip/cli/print_section.h"
#include "roundtrip/cli/shipped_models.h"
#include "roundtrip/evidence/reproduction.h"
#include "roundtrip/models/bundle.h"
#include "roundtrip/nn/compute_threads.h"
#include "roundtrip/report/report_page.h"
#include "roundtrip/study/cells.h"
#include "roundtrip/study/scored_fit.h"
#include "roundtrip/study/studies.h"

namespace roundtrip {
namespace {

struct ReproduceOptions {
  std::vector<std::string> studies;
  std::string model;
  std::string out = "reproduce";
  uint64_t test_seed = 20261116;  // first used when the shipped models were final
  int64_t test = 120;
  int64_t train = 60;
  std::string depths;
  std::string signals =
      "round_trip,error,mirror,spread_seed,spread_ancestral,local,seed_step,seed_knn,"
      "seed_codec,fields";
  bool tables_only = false;
  bool force = false;
  bool json = false;
};

std::vector<const StudyRow*> chosen_studies(const std::vector<std::string>& names) {
  std::vector<const StudyRow*> chosen;
  for (const std::string& name : names) chosen.push_back(&find_row(studies(), "study", name));
  if (!chosen.empty()) return chosen;
  for (const StudyRow& row : studies()) chosen.push_back(&row);
  return chosen;
}

/// What came of the studies: sections, and what could not be made.
struct Findings {
  std::vector<Section> sections;
  std::vector<std::string> missing;
};

// Asked for by name, a study that lacks something is an error; among all of them, a note.
Findings make_studies(const Evidence& evidence, const std::vector<std::string>& names) {
  Findings found;
  for (const StudyRow* row : chosen_studies(names)) {
    stop_if_interrupted();
    try {
      for (Section& section : row->make(evidence)) found.sections.push_back(std::move(section));
    } catch (const Error& error) {
      if (!names.empty()) throw;
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
    there.tables = evidence_tables(options.out);
    return there;
  }
  ReproductionRequest request{.folder = options.out,
                              .model = model,
                              .test_seed = options.test_seed,
                              .test = options.test,
                              .train = options.train,
                              .depths = {},
                              .signals = split_list(options.signals),
                              .force = options.force};
  if (!options.depths.empty()) request.depths = parse_depths(options.depths);
  GatherBars bars;
  return measure_model(request, calibrators, bars.progress());
}

Evidence evidence_of(const ReproduceOptions& options, const std::string& model,
                     const Reproduction& measured, CalibratorSet calibrators) {
  const std::filesystem::path folder = std::filesystem::path(model) / "";
  Evidence evidence = read_evidence(options.out, measured.tables, std::move(calibrators));
  const ModelFacts facts = read_facts_of_bundle(model);
  evidence.model = folder.parent_path().filename();
  evidence.system = facts.layout.dataset;
  evidence.scale =
      fmt::format("{}: {} x {} cells, {} test trajectories", evidence.model, facts.layout.height,
                  facts.layout.width, evidence.test.curves.size());
  evidence.cost = measured.costs;
  if (std::filesystem::exists(folder / "training.jsonl")) {
    evidence.validations = read_validations(folder / "training.jsonl");
  }
  return evidence;
}

TableSection missing_table(const std::vector<std::string>& lines) {
  TableSection table;
  table.title = "Not made";
  table.text = "Studies that lack something, and what.";
  table.columns = {"study and reason"};
  for (const std::string& line : lines) table.rows.push_back({word(line)});
  return table;
}

// Of tables measured elsewhere their own records tell.
Provenance provenance_of(const ReproduceOptions& options, const Evidence& evidence) {
  Provenance provenance;
  if (!options.tables_only) {
    provenance.config = fmt::format("test = {}\ntrain = {}\ndepths = \"{}\"\nsignals = \"{}\"\n",
                                    options.test, options.train, options.depths, options.signals);
    provenance.seed = options.test_seed;
  }
  provenance.data = {{"model", evidence.model},
                     {"fingerprint", evidence.calibrators.fingerprint},
                     {"tables", evidence.records}};
  return provenance;
}

void run(const ReproduceOptions& options) {
  chosen_studies(options.studies);  // a misspelt one is told before anything is measured
  catch_interrupts();
  use_all_threads();
  const std::string model =
      options.model.empty() ? shipped_model("mhd-small") : model_path(options.model);
  const CalibratorSet calibrators =
      read_calibrators(std::filesystem::path(model) / "calibrators.json");
  const Reproduction measured = measure(options, model, calibrators);
  const Evidence evidence = evidence_of(options, model, measured, calibrators);
  const Findings found = make_studies(evidence, options.studies);
  const Provenance provenance = provenance_of(options, evidence);
  Report report;
  report.title = fmt::format("{}: how well it knows its own error", evidence.model);
  report.summary = {evidence.scale + "."};
  const auto finding = verdict_on_test(evidence);
  if (finding) report.summary.push_back(*finding);
  const std::string note = version_note(evidence.calibrators);
  if (!note.empty()) report.summary.push_back(note);
  report.provenance = to_json(provenance);
  report.sections = found.sections;
  report.sections.insert(report.sections.end(), measured.pictures.begin(), measured.pictures.end());
  if (!found.missing.empty()) report.sections.push_back(missing_table(found.missing));
  const WrittenReport written = write_report(options.out, report);
  if (options.json) return print_json(provenance, to_rows(found.sections));
  fmt::print("{}\n\n", evidence.scale);
  for (const Section& section : found.sections) print_section(section);
  for (const std::string& line : found.missing) fmt::print("Not made: {}\n", line);
  if (finding) fmt::print("\n{}\n", *finding);
  fmt::print("Page: {}\n", written.page.empty() ? missing_page_message()
                                                : std::filesystem::absolute(written.page).string());
}

}  // namespace

Action declare_reproduce(Options& options) {
  auto chosen = std::make_shared<ReproduceOptions>();
  options.add("studies", chosen->studies, "which, by the names below; none = all");
  options.add("--model", chosen->model, "a bundle with calibrators; unless given, mhd-small");
  options.add("--out", chosen->out, "folder for tables, page and trajectories; continued if there");
  options.add("--test-seed", chosen->test_seed, "of the test trajectories");
  options.add("--test", chosen->test, "how many test trajectories", 2, 1'000'000);
  options.add("--train", chosen->train, "how many training trajectories, to compare", 0, 1'000'000);
  options.add("--depths", chosen->depths,
              "depths measured: 1,2,4 or 1-28; unless given, those of the calibrators");
  options.add("--signals", chosen->signals, "signals measured; `roundtrip list` has all");
  options.flag("--force", chosen->force, "solve and measure again what is there");
  options.flag("--tables-only", chosen->tables_only,
               "study the tables that are in --out, as `cycle` writes them; measure nothing");
  options.add_threads();
  options.flag("--json", chosen->json, "print one JSON object");
  std::string names = "Studies:\n";
  for (const StudyRow& row : studies()) {
    names += fmt::format("  {:<16} {} ({})\n", row.name, row.summary, row.paper);
  }
  options.footer(names);
  return [chosen] { run(*chosen); };
}

}  // namespace roundtrip

// The paper's tables and figures from a model: test trajectories and other kinds are solved afresh,
// measured, and studied.
#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>

#include <fmt/format.h>

#include "roundtrip/base/error.h"
#include "roundtrip/base/interrupt.h"
#include "roundtrip/base/threads.h"
#include "roundtrip/calibration/calibrator_file.h"
#include "roundtrip/cli/command.h"
#include "roundtrip/cli/gather_progress.h"
#include "roundtrip/cli/model_options.h"
#include "roundtrip/cli/output.h"
#include "roundtrip/cli/print_section.h"
#include "roundtrip/cli/shipped_models.h"
#include "roundtrip/evidence/certificate_table.h"
#include "roundtrip/evidence/gather.h"
#include "roundtrip/evidence/signal_cost.h"
#include "roundtrip/evidence/training_source.h"
#include "roundtrip/models/bundle.h"
#include "roundtrip/nn/compute_threads.h"
#include "roundtrip/report/report_page.h"
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

// The first six, then fewer and fewer: what changes fast is seen, and the rest is affordable.
std::vector<int64_t> study_depths(int64_t deepest) {
  std::vector<int64_t> depths;
  for (int64_t i = 1; i <= deepest;) {
    depths.push_back(i);
    if (i < 6 || deepest <= 12) {
      i += 1;
    } else {
      i += i < 12 ? 2 : 4;
    }
  }
  return depths;
}

GatherRequest gather_request(const ReproduceOptions& options, const std::string& model,
                             const TrainingSource& source) {
  GatherRequest request;
  request.folder = options.out;
  request.model = model;
  request.system = source.system;
  request.parts = evidence_parts(source, options.test_seed, options.test);
  if (options.train > 0) {
    request.parts.push_back({.name = "train",
                             .split = Split::train,
                             .overrides = source.overrides,
                             .seed = source.seed,
                             .trajectories = std::min(options.train, source.trajectories),
                             .signals = comparing_signals()});
  }
  const int64_t deepest = source.frames - read_facts_of_bundle(model).denoiser.contexts;
  request.measure = {
      .depths = options.depths.empty() ? study_depths(deepest) : parse_depths(options.depths),
      .signals = split_list(options.signals)};
  request.threads = available_threads();
  request.force = options.force;
  return request;
}

nlohmann::ordered_json to_rows(const std::vector<Section>& sections) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const Section& section : sections) {
    if (const auto* table = std::get_if<TableSection>(&section)) rows.push_back(table_json(*table));
  }
  return rows;
}

/// What was measured: the tables, and what each signal cost.
struct Measured {
  std::vector<std::string> tables;
  std::map<std::string, double> costs;
};

// Bounds lose their meaning soon: powers of factors are what they are made of.
std::vector<int64_t> certificate_depths(int64_t deepest) {
  std::vector<int64_t> depths;
  for (int64_t i = 1; i <= std::min<int64_t>(16, deepest); i *= 2) depths.push_back(i);
  return depths;
}

Measured measure(const ReproduceOptions& options, const std::string& model) {
  const TrainingSource source = training_source(model);
  GatherRequest request = gather_request(options, model, source);
  GatherBars bars;
  const auto training =
      solve_part(request, training_seeds(source, read_facts_of_bundle(model).denoiser.contexts),
                 bars.progress());
  request.training = training.get();
  gather(request, bars.progress());
  request.force = false;  // all of it is fresh now
  const Surrogate surrogate = open_surrogate({.model = model}, data_config_of(model), *training);
  write_certificate_table(request.folder / "certificate.csv", surrogate,
                          *solve_part(request, request.parts.front(), bars.progress()),
                          /*trajectories=*/16, certificate_depths(request.measure.depths.back()));
  Measured measured;
  for (const EvidencePart& part : request.parts) measured.tables.push_back(part.name);
  measured.costs = signal_costs(surrogate, request.measure.signals, request.measure.depths.back());
  return measured;
}

Evidence gathered_evidence(const ReproduceOptions& options, const std::string& model) {
  const std::filesystem::path folder = std::filesystem::path(model) / "";
  const CalibratorSet calibrators = read_calibrators(folder / "calibrators.json");
  Measured measured;
  if (options.tables_only) {
    measured.tables = evidence_tables(options.out);
  } else {
    measured = measure(options, model);
  }
  Evidence evidence = read_evidence(options.out, measured.tables, calibrators);
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
  const std::string model = options.model.empty() ? shipped_model("mhd-small") : options.model;
  const Evidence evidence = gathered_evidence(options, model);
  const Findings found = make_studies(evidence, options.studies);
  const Provenance provenance = provenance_of(options, evidence);
  Report report;
  report.title = fmt::format("{}: how well it knows its own error", evidence.model);
  report.summary = {evidence.scale + "."};
  for (const std::string& line : found.missing) report.summary.push_back("Not made: " + line);
  report.provenance = to_json(provenance);
  report.sections = found.sections;
  const WrittenReport written = write_report(options.out, report);
  if (options.json) return print_json(provenance, to_rows(found.sections));
  fmt::print("{}\n\n", evidence.scale);
  for (const Section& section : found.sections) print_section(section);
  for (const std::string& line : found.missing) fmt::print("Not made: {}\n", line);
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
              "depths measured: 1,2,4 or 1-28; unless given, close at first, every fourth later");
  options.add("--signals", chosen->signals, "signals measured; `roundtrip list` has all");
  options.flag("--force", chosen->force, "solve and measure again what is there");
  options.flag("--tables-only", chosen->tables_only,
               "study the tables that are in --out, as `cycle` writes them; measure nothing");
  options.flag("--json", chosen->json, "print one JSON object");
  std::string names = "Studies:\n";
  for (const StudyRow& row : studies()) {
    names += fmt::format("  {:<16} {} ({})\n", row.name, row.summary, row.paper);
  }
  options.footer(names);
  return [chosen] { run(*chosen); };
}

}  // namespace roundtrip

// The paper's tables and figures from a model: test trajectories and other kinds are solved afresh,
// measured, and studied.
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "roundtrip/base/atomic_file.h"
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
#include "roundtrip/evidence/gather.h"
#include "roundtrip/evidence/training_seeds.h"
#include "roundtrip/nn/compute_threads.h"
#include "roundtrip/report/report_page.h"
#include "roundtrip/study/studies.h"

namespace roundtrip {
namespace {

struct ReproduceOptions {
  std::vector<std::string> studies;
  std::string model;
  std::string out = "reproduce";
  uint64_t test_seed = 0;
  int64_t test = 120;
  std::string depths = "1-6,8,10,12,16,20,24,28,32,36,40,44,48,52,56";
  std::string signals =
      "round_trip,error,residual,mirror,spread_seed,spread_ancestral,local,seed_step,seed_codec,"
      "fields";
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

GatherRequest gather_request(const ReproduceOptions& options, const std::string& model) {
  GatherRequest request;
  request.folder = options.out;
  request.model = model;
  request.parts = evidence_parts(request.system, options.test_seed, options.test);
  request.measure = {
      .depths = parse_depths(options.depths), .signals = split_list(options.signals), .tile = 16};
  request.threads = available_threads();
  return request;
}

nlohmann::ordered_json to_rows(const std::vector<Section>& sections) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const Section& section : sections) {
    if (const auto* table = std::get_if<TableSection>(&section)) rows.push_back(table_json(*table));
  }
  return rows;
}

void run(const ReproduceOptions& options) {
  chosen_studies(options.studies);  // a misspelt one is told before anything is measured
  catch_interrupts();
  use_all_threads();
  const std::string model = options.model.empty() ? shipped_model("mhd-small") : options.model;
  GatherRequest request = gather_request(options, model);
  const CalibratorSet calibrators =
      read_calibrators(std::filesystem::path(model) / "calibrators.json");
  {
    GatherBars bars;
    const auto training =
        solve_training_seeds(model, std::filesystem::path(options.out) / "data" / "training-seeds",
                             request.threads, bars.progress());
    request.training = training.get();
    if (training) request.measure.signals.emplace_back("seed_knn");
    gather(request, bars.progress());
  }
  Evidence evidence = read_evidence(options.out, calibrators);
  evidence.model = std::filesystem::path(model).filename();
  const Findings found = make_studies(evidence, options.studies);
  Provenance provenance{.config = fmt::format("test = {}\ndepths = \"{}\"\nsignals = \"{}\"\n",
                                              options.test, options.depths, options.signals),
                        .seed = options.test_seed,
                        .data = {{"model", model}, {"fingerprint", calibrators.fingerprint}}};
  Report report;
  report.title = fmt::format("{}: ours beside the paper's", evidence.model);
  report.summary = found.missing;
  report.provenance = to_json(provenance);
  report.sections = found.sections;
  const WrittenReport written = write_report(options.out, report);
  if (options.json) return print_json(provenance, to_rows(found.sections));
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
  options.add("--depths", chosen->depths, "depths measured: 1,2,4 or 1-28");
  options.add("--signals", chosen->signals, "signals measured; `roundtrip list` has all");
  options.flag("--json", chosen->json, "print one JSON object");
  std::string names = "Studies:\n";
  for (const StudyRow& row : studies()) {
    names += fmt::format("  {:<16} {} ({})\n", row.name, row.summary, row.paper);
  }
  options.footer(names);
  return [chosen] { run(*chosen); };
}

}  // namespace roundtrip

#include "roundtrip/systems/generate.h"

#include <chrono>

#include <fmt/format.h>

#include "roundtrip/base/error.h"
#include "roundtrip/base/interrupt.h"
#include "roundtrip/base/progress.h"
#include "roundtrip/base/threads.h"
#include "roundtrip/base/version.h"
#include "roundtrip/cli/command.h"
#include "roundtrip/cli/output.h"
#include "roundtrip/systems/systems.h"

namespace roundtrip {
namespace {

struct GenerateOptions {
  std::string system;
  std::string preset = "small";
  std::vector<std::string> overrides;
  std::string out;
  DatasetSize size;
  uint64_t seed = 0;
  std::string shard = "1/1";
  int64_t threads = available_threads();
  bool finish = false;
  bool force = false;
  bool json = false;
};

nlohmann::ordered_json to_rows(const std::vector<FileReport>& reports) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const FileReport& report : reports) {
    rows.push_back({{"file", report.path},
                    {"trajectories", report.trajectories},
                    {"kept", report.kept},
                    {"commit", report.kept ? report.commit : commit()},
                    {"steps", report.solve.steps},
                    {"redraws", report.solve.redraws}});
  }
  return rows;
}

// Another commit's files fit the settings, but a solver may have changed in between.
std::string how_kept(const FileReport& report) {
  if (!report.kept) return "";
  const bool other = !report.commit.empty() && report.commit != commit();
  return other ? fmt::format("kept, made by commit {}", report.commit) : "kept";
}

// A dataset of clips has thousands of files; the first and last few tell enough.
void print_files(const std::vector<FileReport>& reports) {
  constexpr size_t kShown = 20;
  std::vector<std::vector<std::string>> table = {{"FILE", "TRAJECTORIES", "STEPS", "REDRAWN", ""}};
  for (size_t i = 0; i < reports.size() && i < kShown; ++i) {
    const FileReport& report = reports[i];
    table.push_back({report.path, fmt::format("{}", report.trajectories),
                     report.kept ? "" : fmt::format("{}", report.solve.steps),
                     fmt::format("{}", report.solve.redraws), how_kept(report)});
  }
  print_table(table);
  if (reports.size() > kShown) fmt::print("... and {} more\n", reports.size() - kShown);
}

std::vector<FileReport> solve_shard(const System& system, const GenerateRequest& request) {
  LateProgress bar("solving", "frames");
  return generate(system, request, [&](int64_t, int64_t total) { bar.advance(total); });
}

void finish(const System& system, const GenerateRequest& request) {
  LateProgress bar("statistics", "trajectories");
  finish_dataset(system, request, [&](int64_t, int64_t total) { bar.advance(total); });
}

// Sizes the user did not name hold every kind of trajectory (cooling time) equally often; about
// others a word is said before the work, not after it.
DatasetSize sizes(const System& system, DatasetSize size, const Options& said) {
  const int64_t kinds = system.groups();
  bool whole = true;
  for (const auto& [name, count] :
       {std::pair{"--train", &size.train}, {"--valid", &size.valid}, {"--test", &size.test}}) {
    if (!said.given(name)) *count = (*count + kinds - 1) / kinds * kinds;
    whole = whole && *count % kinds == 0;
  }
  if (!whole && !said.given("--finish")) {
    fmt::print(stderr,
               "Trajectory i is of kind i mod {0}: sizes that are multiples of {0} give every "
               "split all kinds.\n",
               kinds);
  }
  return size;
}

void run(const GenerateOptions& options, const Options& said) {
  if (options.out.empty()) throw Error("generate", "--out: expected a folder, found nothing");
  const auto start = std::chrono::steady_clock::now();
  const auto system = make_system(options.system, options.preset, options.overrides);
  const GenerateRequest request = {.folder = options.out,
                                   .size = sizes(*system, options.size, said),
                                   .seed = options.seed,
                                   .shard = parse_shard(options.shard),
                                   .threads = options.threads,
                                   .force = options.force,
                                   .name = options.system};
  catch_interrupts();
  std::vector<FileReport> reports;
  if (!options.finish) reports = solve_shard(*system, request);
  const bool complete = options.finish || request.shard.count == 1;
  if (complete) finish(*system, request);

  if (options.json) {
    return print_json({.config = system->settings(),
                       .seed = options.seed,
                       .data = {{"folder", options.out}, {"complete", complete}}},
                      to_rows(reports));
  }
  if (!options.finish) print_files(reports);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  fmt::print("{} in {}\n", complete ? "Dataset complete" : "Shard " + options.shard + " done",
             human_duration(taken.count()));
  if (!options.finish && reports.empty()) {
    fmt::print("This shard has no files: fewer shards, or a smaller --per-file, share the work.\n");
  }
  if (!complete) fmt::print("Once all shards are there: the same command with --finish\n");
  if (complete) fmt::print("roundtrip inspect {} says what it holds\n", options.out);
}

}  // namespace

Action declare_generate(Options& options) {
  constexpr int64_t kMost = 1'000'000;  // trajectories; the plan of files is held in memory
  auto chosen = std::make_shared<GenerateOptions>();
  options.add("system", chosen->system, "one of `roundtrip list`", Options::Need::required);
  options.add("settings", chosen->overrides, "key=value ...: see `roundtrip list SYSTEM`");
  options.add("--out", chosen->out, "folder of the dataset", Options::Need::required);
  options.add("--preset", chosen->preset, "small or paper");
  options.add("--train", chosen->size.train,
              "training trajectories (as defaults: rounded up to hold every cooling time)", 0,
              kMost);
  options.add("--valid", chosen->size.valid, "validation trajectories", 0, kMost);
  options.add("--test", chosen->size.test, "test trajectories", 0, kMost);
  options.add("--per-file", chosen->size.per_file, "trajectories in one file at most", 1, kMost);
  options.add("--seed", chosen->seed, "the same seed gives the same dataset");
  options.add("--shard", chosen->shard, "i/n: write only every n-th file, starting with the i-th");
  options.add("--threads", chosen->threads, "trajectories solved at a time; unless given, OMP_NUM_THREADS or all cores", 1,
              4096);
  options.flag("--finish", chosen->finish,
               "complete the dataset (stats.yaml, clips.csv) once all shards are there");
  options.flag("--force", chosen->force, "replace a dataset made with other settings");
  options.flag("--json", chosen->json, "print one JSON object");
  return [chosen, options] { run(*chosen, options); };
}

}  // namespace roundtrip

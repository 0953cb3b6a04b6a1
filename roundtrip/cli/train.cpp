// Trains a model from a file of configs/ and writes a bundle.
#include <chrono>
#include <memory>

#include <fmt/format.h>

#include "roundtrip/base/error.h"
#include "roundtrip/base/interrupt.h"
#include "roundtrip/base/progress.h"
#include "roundtrip/cli/command.h"
#include "roundtrip/cli/output.h"
#include "roundtrip/nn/compute_threads.h"
#include "roundtrip/train/train_model.h"

namespace roundtrip {
namespace {

struct TrainOptions {
  std::string config;
  std::vector<std::string> overrides;
  std::string out;
  bool resume = false;
  bool force = false;
  double timeout = 1800;
  bool json = false;
};

// One bar per stage; the bar of a stage that continues an old run starts where that run stopped.
class StageProgress {
 public:
  void show(const std::string& stage, const std::string& unit, int64_t done, int64_t total,
            const std::string& note) {
    if (stage != stage_) {
      bar_.reset();
      bar_ = std::make_unique<Progress>(stage, unit, total, progress_on_stderr());
      bar_->begin_at(done);
      stage_ = stage;
    }
    bar_->advance_to(done, note);
  }
  void end() { bar_.reset(); }

 private:
  std::string stage_;
  std::unique_ptr<Progress> bar_;
};

nlohmann::ordered_json to_rows(const TrainSummary& summary) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const StageSummary& stage : summary.stages) {
    rows.push_back({{"stage", stage.stage},
                    {"parameters", stage.parameters},
                    {"steps", stage.result.steps},
                    {"best_step", stage.result.best_step},
                    {"best_score", stage.result.best_score},
                    {"waiting", stage.result.waiting}});
  }
  for (size_t i = 0; i < summary.channels.size(); ++i) {
    const LatentChannel& channel = summary.channels[i];
    rows.push_back({{"channel", i},
                    {"kl", channel.kl},
                    {"variance", channel.variance},
                    {"posterior_variance", channel.posterior_variance},
                    {"dead", channel.dead()}});
  }
  return rows;
}

void print_summary(const TrainSummary& summary) {
  std::vector<std::vector<std::string>> table = {
      {"STAGE", "PARAMETERS", "STEPS", "BEST AT", "SCORE", "WAITED FOR DATA"}};
  for (const StageSummary& stage : summary.stages) {
    table.push_back(
        {stage.stage, fmt::format("{}", stage.parameters), fmt::format("{}", stage.result.steps),
         fmt::format("{}", stage.result.best_step), fmt::format("{:.4f}", stage.result.best_score),
         fmt::format("{:.1f} %", 100 * stage.result.waiting)});
  }
  print_table(table);
  if (summary.channels.empty()) return;
  table = {{"LATENT CHANNEL", "KL", "VARIANCE OF MEANS", "POSTERIOR VARIANCE", ""}};
  for (size_t i = 0; i < summary.channels.size(); ++i) {
    const LatentChannel& channel = summary.channels[i];
    table.push_back({fmt::format("{}", i), fmt::format("{:.3f}", channel.kl),
                     fmt::format("{:.4f}", channel.variance),
                     fmt::format("{:.4f}", channel.posterior_variance),
                     channel.dead() ? "dead" : ""});
  }
  print_table(table);
}

TrainSummary run_training(const TrainRequest& request, ProcessGroup& ranks,
                          const TrainListener& listener) {
  try {
    return train_model(request, ranks, listener);
  } catch (const Interrupted& stopped) {
    throw Interrupted(stopped.signal(), "the same command with --resume continues");
  }
}

void run(const TrainOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  const TrainRequest request = {.config = read_train_config(options.config, options.overrides),
                                .out = options.out,
                                .resume = options.resume,
                                .force = options.force};
  use_all_threads();
  const auto ranks = make_process_group(read_launch_environment(), options.timeout);
  catch_interrupts();
  const bool speaks = ranks->rank() == 0;
  StageProgress bar;
  const TrainListener listener = {.say =
                                      [&](const std::string& line) {
                                        if (speaks) fmt::print(stderr, "{}\n", line);
                                      },
                                  .progress =
                                      [&](const std::string& stage, const std::string& unit,
                                          int64_t done, int64_t total, const std::string& note) {
                                        if (speaks) bar.show(stage, unit, done, total, note);
                                      }};
  const TrainSummary summary = run_training(request, *ranks, listener);
  bar.end();
  if (!speaks) return;
  if (options.json) {
    return print_json({.config = to_toml(request.config),
                       .seed = static_cast<uint64_t>(request.config.seed),
                       .data = {{"path", request.config.data.path}, {"bundle", options.out}}},
                      to_rows(summary));
  }
  print_summary(summary);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  fmt::print("Trained in {}. The bundle is {}; `roundtrip inspect {}` says what it holds.\n",
             human_duration(taken.count()), options.out, options.out);
}

}  // namespace

Action declare_train(Options& options) {
  auto chosen = std::make_shared<TrainOptions>();
  options.add("config", chosen->config, "a file as those of configs/", Options::Need::required);
  options.add("settings", chosen->overrides, "key=value ...: instead of the file's");
  options.add("--out", chosen->out, "folder of the bundle", Options::Need::required);
  options.flag("--resume", chosen->resume, "continue a stopped run");
  options.flag("--force", chosen->force, "replace a bundle or a run");
  options.add("--timeout", chosen->timeout, "seconds to wait for another rank", 1, 1e6);
  options.flag("--json", chosen->json, "print one JSON object");
  return [chosen] { run(*chosen); };
}

}  // namespace roundtrip

// Trains a model from a file of configs/ and writes a bundle.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "roundtrip/base/error.h"
#include "roundtrip/base/interrupt.h"
#include "roundtrip/base/progress.h"
#include "roundtrip/cli/command.h"
#include "roundtrip/cli/output.h"
#include "roundtrip/cli/shipped_presets.h"
#include "roundtrip/nn/compute_threads.h"
#include "roundtrip/evaluation/training_log.h"
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
                    {"collapsed", channel.collapsed()}});
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
  fmt::print("\n");
  table = {{"LATENT CHANNEL", "KL", "VARIANCE OF MEANS", "POSTERIOR VARIANCE", ""}};
  for (size_t i = 0; i < summary.channels.size(); ++i) {
    const LatentChannel& channel = summary.channels[i];
    table.push_back({fmt::format("{}", i), fmt::format("{:.3f}", channel.kl),
                     fmt::format("{:.4f}", channel.variance),
                     fmt::format("{:.4f}", channel.posterior_variance),
                     channel.collapsed() ? "collapsed" : ""});
  }
  print_table(table);
}

void print_codec_errors(const std::string& log) {
  const auto errors = read_codec_errors(log);
  if (errors.empty()) return;
  std::vector<std::string> fields;
  for (const auto& [field, vrmse] : errors)
    fields.push_back(fmt::format("{} {:.3f}", field, vrmse));
  fmt::print("\nVRMSE of the codec: {}.\n", fmt::join(fields, ", "));
}

// Where a direction is worse than no model at all.
void print_lost(const char* direction, const std::map<int64_t, double>& errors,
                const char* advice) {
  const auto lost =
      std::find_if(errors.begin(), errors.end(), [](const auto& at) { return at.second > 1; });
  if (lost == errors.end()) return;
  fmt::print("Note: {} rollouts are worse than repeating a frame at depth {}. {}\n", direction,
             lost->first, advice);
}

// How good a model is on selection trajectories, at every validation.
void print_course(const std::string& log) {
  const auto course = read_validations(log);
  if (course.empty()) return;
  const auto at = [](const std::map<int64_t, double>& errors, int64_t depth) {
    const auto found = errors.find(depth);
    return found == errors.end() ? std::string("-") : fmt::format("{:.3f}", found->second);
  };
  fmt::print(
      "\nErrors over that of repeating a frame: single steps from anywhere, and rollouts from the "
      "first\nor last frames to a depth. The score is the mean logarithm over depths.\n");
  std::vector<std::vector<std::string>> table = {
      {"STAGE", "STEP", "FORWARD", "BACKWARD", "TO 4", "BACK 4", "TO 16", "BACK 16", "SCORE"}};
  for (const LoggedValidation& one : course) {
    table.push_back(
        {one.stage, fmt::format("{}", one.step), fmt::format("{:.3f}", one.step_forward),
         fmt::format("{:.3f}", one.step_backward), at(one.forward, 4), at(one.backward, 4),
         at(one.forward, 16), at(one.backward, 16), fmt::format("{:.3f}", one.score)});
  }
  print_table(table);
  const LoggedValidation& best = *std::min_element(
      course.begin(), course.end(), [](const auto& a, const auto& b) { return a.score < b.score; });
  print_lost("forward", best.forward,
             "Train longer, or with more denoiser_training.context_noise.");
  print_lost("backward", best.backward,
             "C tells little where the way back is lost: train longer; a system that forgets its "
             "past may allow no better.");
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
  const TrainRequest request = {
      .config = read_train_config(preset_path(options.config), options.overrides, print_note),
      .out = options.out,
      .resume = options.resume,
      .force = options.force};
  use_all_threads();
  const auto ranks = make_process_group(read_launch_environment(), options.timeout);
  catch_interrupts();
  const bool speaks = ranks->rank() == 0;
  StageProgress bar;
  const TrainListener listener = {.log =
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
  const std::string log = (std::filesystem::path(options.out) / "training.jsonl").string();
  print_codec_errors(log);
  print_course(log);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  fmt::print("Trained in {}. The bundle is {}; `roundtrip inspect {}` says what it holds.\n",
             human_duration(taken.count()), options.out, options.out);
}

}  // namespace

Action declare_train(Options& options) {
  auto chosen = std::make_shared<TrainOptions>();
  options.add("config", chosen->config,
              "a preset by name (mhd-small), or a file like those of configs/",
              Options::Need::required);
  options.add("settings", chosen->overrides, "key=value ...: instead of the file's");
  options.add("--out", chosen->out, "folder of the bundle", Options::Need::required);
  options.flag("--resume", chosen->resume, "continue a stopped run");
  options.flag("--force", chosen->force, "replace a bundle or a run");
  options.add("--timeout", chosen->timeout, "seconds to wait for another rank", 1, 1e6);
  options.add_threads();
  options.flag("--json", chosen->json, "print one JSON object");
  return [chosen] { run(*chosen); };
}

}  // namespace roundtrip

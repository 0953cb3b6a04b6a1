// One loop for codec and denoiser. All state that matters between two steps is in the flat tensors
// of FlatParameters and AdamW and in a few numbers, so a checkpoint is short to write and to trust.
#include "roundtrip/train/trainer.h"

#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>
#include <torch/types.h>
#include <torch/utils.h>

#include "roundtrip/base/error.h"
#include "roundtrip/base/interrupt.h"
#include "roundtrip/data/prefetch.h"
#include "roundtrip/distributed/gradient_reducer.h"
#include "roundtrip/train/checkpoint.h"
#include "roundtrip/train/flat_parameters.h"
#include "roundtrip/train/metrics_log.h"

namespace roundtrip {
namespace {

// Between log lines.
struct RunningLoss {
  double sum = 0;
  int64_t count = 0;
};

class Trainer {
 public:
  Trainer(TrainingTask& task, const TrainingOptions& options, const TrainingRun& run,
          ProcessGroup& ranks)
      : task_(task),
        options_(options),
        run_(run),
        ranks_(ranks),
        checkpoints_(run.folder / run.stage),
        log_(run.folder / "metrics.jsonl"),
        parameters_(task.module()),
        optimizer_(parameters_, options.adamw),
        reducer_(ranks, parameters_.parameters(), parameters_.gradients()) {
    check_batch(options, run.settings, ranks);
    best_ = optimizer_.average().clone();
    start();
  }

  TrainingResult run() {
    if (step_ == 0 && run_.validate_start) validate();
    Prefetch<TrainingTask::Batch> batches(
        [this](int64_t step) { return task_.load(step, samples_of(step)); }, step_, options_.steps);
    while (step_ < options_.steps) {
      stop_when_asked();
      one_step(batches.next().value());
      ++step_;
      if (due(options_.log_every)) log_loss();
      if (due(options_.validate_every)) validate();
      if (due(options_.checkpoint_every)) save();
    }
    if (options_.steps > 0 && !std::isfinite(best_score_)) stop_without_weights();
    parameters_.values().copy_(best_);
    return {.steps = step_,
            .best_step = best_step_,
            .best_score = best_score_,
            .waiting = batches.waiting_fraction(),
            .best = best_};
  }

 private:
  bool due(int64_t every) const { return step_ % every == 0 || step_ == options_.steps; }

  // Rank r of R has every R-th sample of the global batch: no sample is seen twice.
  std::vector<int64_t> samples_of(int64_t step) const {
    std::vector<int64_t> samples;
    for (int64_t i = ranks_.rank(); i < options_.batch; i += ranks_.size()) {
      samples.push_back(step * options_.batch + i);
    }
    return samples;
  }

  void one_step(const TrainingTask::Batch& batch) {
    const double loss = backward(batch);
    reducer_.wait();
    const double norm = optimizer_.gradient_norm();
    if (!std::isfinite(loss) || !std::isfinite(norm)) stop_at_nan();
    optimizer_.step(options_.rate.at(step_, options_.steps), norm);
    running_.sum += loss;
    ++running_.count;
    run_.progress(step_ + 1, options_.steps, loss);
  }

  // Adds the gradients of all micro-batches; returns this rank's mean loss.
  double backward(const TrainingTask::Batch& batch) {
    const int64_t size = batch.at(0).size(0);
    const int64_t most = options_.micro_batch > 0 ? std::min(options_.micro_batch, size) : size;
    double total = 0;
    for (int64_t first = 0; first < size; first += most) {
      const int64_t count = std::min(most, size - first);
      TrainingTask::Batch part;
      for (const torch::Tensor& tensor : batch) part.push_back(tensor.narrow(0, first, count));
      const double share = static_cast<double>(count) / static_cast<double>(size);
      const torch::Tensor loss = task_.loss(step_, part) * share;
      // Ranks exchange gradients while the last micro-batch's are still being computed.
      reducer_.expect_more(first + count < size);
      loss.backward();
      total += loss.item<double>();
    }
    return total;
  }

  void validate() {
    const torch::NoGradGuard no_grad;
    const SwappedValues averaged(parameters_, optimizer_.average());
    const Validation found = task_.validate();
    // Ranks on unequal machines may disagree in the last digits; one of them decides.
    const double score = told_by_first(found.score);
    if (score < best_score_) {
      best_score_ = score;
      best_step_ = step_;
      best_.copy_(optimizer_.average());
    }
    nlohmann::ordered_json line = {{"stage", run_.stage}, {"step", step_}};
    for (const auto& [name, value] : found.values) line[name] = value;
    line["score"] = score;
    line["best_step"] = best_step_;
    write(line);
  }

  double told_by_first(double value) {
    torch::Tensor shared = torch::tensor({value}, torch::kFloat64);
    if (ranks_.size() > 1) ranks_.broadcast(shared, 0);
    return shared.item<double>();
  }

  double sum_over_ranks(double value) {
    torch::Tensor sum = torch::tensor({value}, torch::kFloat64);
    ranks_.all_reduce_sum(sum);
    return sum.item<double>();
  }

  void log_loss() {
    const double mean =
        sum_over_ranks(running_.sum) / static_cast<double>(running_.count * ranks_.size());
    write({{"stage", run_.stage},
           {"step", step_},
           {"loss", mean},
           {"learning_rate", options_.rate.at(step_ - 1, options_.steps)}});
    running_ = {};
  }

  void write(const nlohmann::ordered_json& line) const {
    if (ranks_.rank() == 0) log_.write(line);
  }

  // On all ranks.
  void save() {
    const double sum = sum_over_ranks(running_.sum);
    if (ranks_.rank() != 0) return;
    checkpoints_.write({.step = step_,
                        .tensors = {{"values", parameters_.values()},
                                    {"average", optimizer_.average()},
                                    {"first_moment", optimizer_.first_moment()},
                                    {"second_moment", optimizer_.second_moment()},
                                    {"best", best_}},
                        .notes = {{"fingerprint", run_.fingerprint},
                                  {"best_score", exact_text(best_score_)},
                                  {"best_step", fmt::format("{}", best_step_)},
                                  {"running_sum", exact_text(sum)},
                                  {"running_count", fmt::format("{}", running_.count)}}});
  }

  // Every rank reads the checkpoint for itself.
  void start() {
    std::optional<Checkpoint> found;
    if (run_.resume) found = checkpoints_.read_newest(run_.log);
    if (found) restore(*found);
    check_agreement();
    // A start at step 0 is validated again.
    if (ranks_.rank() == 0) log_.rewind(run_.stage, step_ == 0 ? -1 : step_);
    ranks_.barrier();
  }

  void restore(const Checkpoint& from) {
    if (from.notes.at("fingerprint") != run_.fingerprint) {
      throw Error("train",
                  fmt::format("{}: expected a checkpoint of these settings, found one of others; "
                              "take the settings it was made with, or another --out",
                              checkpoints_.newest(from.step).string()));
    }
    const auto copy = [&](const char* name, torch::Tensor& to) { to.copy_(from.tensors.at(name)); };
    copy("values", parameters_.values());
    copy("average", optimizer_.average());
    copy("first_moment", optimizer_.first_moment());
    copy("second_moment", optimizer_.second_moment());
    copy("best", best_);
    step_ = from.step;
    optimizer_.set_steps(from.step);
    best_score_ = exact_value(from.notes.at("best_score"));
    best_step_ = std::stoll(from.notes.at("best_step"));
    // The sum is that of all ranks, and counted once.
    running_ = {ranks_.rank() == 0 ? exact_value(from.notes.at("running_sum")) : 0,
                std::stoll(from.notes.at("running_count"))};
    if (step_ < options_.steps) {
      run_.log(fmt::format("{}: going on after step {}", run_.stage, step_));
    }
  }

  // A rank that sees other files would train another model.
  void check_agreement() {
    if (ranks_.size() == 1) return;
    const double first = told_by_first(static_cast<double>(step_));
    if (sum_over_ranks(first == static_cast<double>(step_) ? 0 : 1) == 0) return;
    throw Error(
        "distributed",
        fmt::format("{}: expected the same newest checkpoint on all ranks, found step {} on "
                    "rank 0 and {} on rank {}; share the folder of --out",
                    run_.stage, first, step_, ranks_.rank()));
  }

  // One rank's signal stops all of them at the same step.
  void stop_when_asked() {
    int signal = interrupt_signal();
    if (ranks_.size() > 1) {
      const bool asked = sum_over_ranks(signal) > 0;
      if (signal == 0 && asked) signal = 15;
    }
    if (signal == 0) return;
    save();
    ranks_.barrier();  // who leaves first may bring down the launcher, and with it who still saves
    throw Interrupted(signal);
  }

  [[noreturn]] void stop_at_nan() const {
    const auto newest = checkpoints_.newest(step_);
    throw Error("train",
                fmt::format("{}: step {}: expected a finite loss and gradient, found NaN or "
                            "infinity; the last good checkpoint is {}; lower "
                            "{}.learning_rate or clip and start anew",
                            run_.stage, step_ + 1, newest.empty() ? "none" : newest.string(),
                            run_.settings));
  }

  [[noreturn]] void stop_without_weights() const {
    throw Error(
        "train",
        fmt::format("{}: expected a validation with a finite score, found none in {} steps; "
                    "its rollouts blow up (metrics.jsonl says at which depth): train "
                    "longer, lower {}.learning_rate, or lower validation.depth",
                    run_.stage, step_, run_.settings));
  }

  TrainingTask& task_;
  const TrainingOptions& options_;
  const TrainingRun& run_;
  ProcessGroup& ranks_;
  CheckpointFolder checkpoints_;
  MetricsLog log_;
  FlatParameters parameters_;
  AdamW optimizer_;
  GradientReducer reducer_;
  int64_t step_ = 0;
  RunningLoss running_;
  torch::Tensor best_;
  double best_score_ = std::numeric_limits<double>::infinity();
  int64_t best_step_ = 0;
};

}  // namespace

void bind(TrainingOptions& options, const std::string& prefix, Settings& settings) {
  settings.add(prefix + "steps", options.steps, "optimiser steps").at_least(0);
  settings.add(prefix + "batch", options.batch, "samples per step, over all ranks").at_least(1);
  settings
      .add(prefix + "micro_batch", options.micro_batch,
           "samples in memory at a time on a rank; 0 = all")
      .at_least(0);
  bind(options.rate, prefix, settings);
  bind(options.adamw, prefix, settings);
  settings.add(prefix + "log_every", options.log_every, "steps between lines of the log")
      .at_least(1);
  settings.add(prefix + "validate_every", options.validate_every, "steps between validations")
      .at_least(1);
  settings.add(prefix + "checkpoint_every", options.checkpoint_every, "steps between checkpoints")
      .at_least(1);
}

void check_batch(const TrainingOptions& options, const std::string& settings,
                 const ProcessGroup& ranks) {
  if (options.batch % ranks.size() == 0) return;
  throw Error("config", fmt::format("{}.batch: expected a multiple of the {} ranks, found {}",
                                    settings, ranks.size(), options.batch));
}

TrainingResult train(TrainingTask& task, const TrainingOptions& options, const TrainingRun& run,
                     ProcessGroup& ranks) {
  return Trainer(task, options, run, ranks).run();
}

}  // namespace roundtrip

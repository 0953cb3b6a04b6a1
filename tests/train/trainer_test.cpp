#include "roundtrip/train/trainer.h"

#include <csignal>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/nn/modules/activation.h>
#include <torch/nn/modules/container/sequential.h>
#include <torch/nn/modules/linear.h>
#include <torch/types.h>

#include "roundtrip/base/atomic_file.h"
#include "roundtrip/base/interrupt.h"
#include "roundtrip/nn/init.h"
#include "roundtrip/train/checkpoint.h"
#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// Learns y = sin x; sample i is a function of i.
class SineTask : public TrainingTask {
 public:
  SineTask() {
    network_->to(torch::kFloat64);
    initialise(*network_, 1);
  }
  torch::nn::Module& module() override { return *network_; }
  Batch load(int64_t step, const std::vector<int64_t>& samples) const override {
    std::vector<torch::Tensor> rows;
    for (const int64_t i : samples) {
      rows.push_back(keyed_normal({3}, 5, "x", static_cast<uint64_t>(i), torch::kFloat64));
    }
    if (step == nan_at) rows[0] *= std::numeric_limits<double>::quiet_NaN();
    return {torch::stack(rows)};
  }
  torch::Tensor loss(int64_t, const Batch& batch) override {
    return (network_->forward(batch[0]) - batch[0].sin()).square().mean();
  }
  Validation validate() override {
    if (blows_up) return {.score = std::numeric_limits<double>::infinity(), .values = {}};
    const double value = loss(0, load(0, {900, 901, 902, 903, 904})).item<double>();
    return {.score = value, .values = {{"error", value}}};
  }

  int64_t nan_at = -1;
  bool blows_up = false;  // in every validation

 private:
  torch::nn::Sequential network_{torch::nn::Linear(3, 16), torch::nn::Tanh(),
                                 torch::nn::Linear(16, 3)};
};

class TrainerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) /
              ::testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  static TrainingOptions options() {
    return {.steps = 60,
            .batch = 8,
            .rate = {.peak = 0.01, .warmup = 5},
            .adamw = {},
            .log_every = 7,
            .validate_every = 10,
            .checkpoint_every = 9};
  }

  TrainingRun run_of(const std::string& name, bool resume = false) {
    return {.stage = "sine",
            .settings = "sine_training",
            .folder = folder_ / name,
            .resume = resume,
            .fingerprint = "same",
            .log = [this](const std::string& line) { said_ += line + "\n"; },
            .progress =
                [this](int64_t done, int64_t, double) {
                  if (done == stop_at_) std::raise(SIGTERM);
                }};
  }

  TrainingResult run(const std::string& name, const TrainingOptions& options, bool resume = false,
                     int64_t nan_at = -1) {
    std::filesystem::create_directories(folder_ / name);
    SineTask task;
    task.nan_at = nan_at;
    const auto ranks = make_process_group({}, 1);
    return train(task, options, run_of(name, resume), *ranks);
  }

  std::filesystem::path folder_;
  std::string said_;
  int64_t stop_at_ = -1;
};

TEST_F(TrainerTest, LearnsAndKeepsTheBestWeights) {
  const TrainingResult result = run("a", options());
  EXPECT_EQ(result.steps, 60);
  EXPECT_LT(result.best_score, 0.3);  // the untrained network is off by about 0.9
  EXPECT_EQ(result.best_step % 10, 0);
  EXPECT_THAT(read_file(folder_ / "a" / "metrics.jsonl"),
              AllOf(HasSubstr("\"loss\""), HasSubstr("\"error\""), HasSubstr("\"step\":56")));
}

// Also with a stop between two log lines, validations and checkpoints.
TEST_F(TrainerTest, AStoppedRunEndsInTheSameBytes) {
  const TrainingResult whole = run("whole", options());
  catch_interrupts();
  stop_at_ = 25;
  EXPECT_THROW(run("stopped", options()), Interrupted);
  catch_interrupts();
  stop_at_ = -1;
  const TrainingResult resumed = run("stopped", options(), /*resume=*/true);
  EXPECT_THAT(said_, HasSubstr("going on after step 25"));
  EXPECT_TRUE(torch::equal(resumed.best, whole.best));
  EXPECT_EQ(read_file(folder_ / "stopped" / "metrics.jsonl"),
            read_file(folder_ / "whole" / "metrics.jsonl"));
  EXPECT_EQ(read_file(CheckpointFolder(folder_ / "stopped" / "sine").newest(60)),
            read_file(CheckpointFolder(folder_ / "whole" / "sine").newest(60)));
}

TEST_F(TrainerTest, AFinishedRunIsNotTrainedAgain) {
  const TrainingResult whole = run("a", options());
  const TrainingResult again = run("a", options(), /*resume=*/true);
  EXPECT_TRUE(torch::equal(again.best, whole.best));
}

// Micro-batches add up to the batch: in double precision to rounding.
TEST_F(TrainerTest, MicroBatchesGiveTheSameWeights) {
  TrainingOptions pieces = options();
  pieces.micro_batch = 3;
  const torch::Tensor difference = run("a", pieces).best - run("b", options()).best;
  EXPECT_LT(difference.abs().max().item<double>(), 1e-12);
}

TEST_F(TrainerTest, NanNamesTheLastGoodCheckpoint) {
  EXPECT_THAT(error_of([&] { run("a", options(), false, /*nan_at=*/30); }),
              AllOf(HasSubstr("sine: step 31"), HasSubstr("checkpoint-000000027.safetensors")));
}

TEST_F(TrainerTest, WeightsThatNoValidationSpeaksForAreNotKept) {
  SineTask task;
  task.blows_up = true;
  const auto ranks = make_process_group({}, 1);
  std::filesystem::create_directories(folder_ / "a");
  EXPECT_THAT(error_of([&] { train(task, options(), run_of("a"), *ranks); }),
              AllOf(HasSubstr("finite score"), HasSubstr("sine_training.learning_rate")));
}

// A fine-tune that only does harm leaves what it was given; a new training has nothing to lose.
TEST_F(TrainerTest, TheStartMayBeTheBest) {
  TrainingOptions harm = options();
  harm.rate = {.peak = 10, .warmup = 0};
  std::filesystem::create_directories(folder_ / "a");
  SineTask task;
  TrainingRun where = run_of("a");
  where.validate_start = true;
  const auto ranks = make_process_group({}, 1);
  const TrainingResult result = train(task, harm, where, *ranks);
  EXPECT_EQ(result.best_step, 0);
  EXPECT_EQ(result.best_score, SineTask().validate().score);
  EXPECT_GT(run("b", harm).best_step, 0);
}

TEST_F(TrainerTest, ACheckpointOfOtherSettingsIsRefused) {
  run("a", options());
  SineTask task;
  TrainingRun other = run_of("a", /*resume=*/true);
  other.fingerprint = "other";
  const auto ranks = make_process_group({}, 1);
  EXPECT_THAT(error_of([&] { train(task, options(), other, *ranks); }),
              HasSubstr("expected a checkpoint of these settings"));
}

}  // namespace
}  // namespace roundtrip

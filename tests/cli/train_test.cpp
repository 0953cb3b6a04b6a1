// The subcommand `train`, run as a user would, on the linear-Gaussian system: seconds a run.
#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstring>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "roundtrip/base/atomic_file.h"
#include "roundtrip/base/json_text.h"
#include "roundtrip/base/random.h"
#include "roundtrip/io/safetensors.h"
#include "tests/cli/program.h"

namespace roundtrip {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class TrainTest : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    ASSERT_EQ(run("generate linear_gaussian --out data --train 6 --valid 4 --test 2 resolution=4 "
                  "frames=8")
                  .code,
              0);
  }

  static std::string train(const std::string& rest) {
    return "train " ROUNDTRIP_SOURCE_DIR "/configs/linear_gaussian-small.toml " + kTiny + rest;
  }

  /// What a run leaves that must not depend on how it came to its end.
  std::map<std::string, std::string> result(const std::string& out) const {
    std::map<std::string, std::string> files;
    for (const std::string name :
         {"codec.safetensors", "denoiser.safetensors", "model.toml", "run/metrics.jsonl"}) {
      files[name] = read_file(folder_ / out / name);
    }
    return files;
  }

  // A shell function in front of the program: kills it `later` seconds after its log has `line`
  // lines, or after a minute.
  static std::string kill_after_line(int64_t line, double later) {
    return "kill_later() { \"$@\" & n=0; while [ $n -lt 6000 ] && "
           "[ \"$(cat killed/run/metrics.jsonl 2>/dev/null | wc -l)\" -lt " +
           std::to_string(line) + " ]; do sleep 0.01; n=$((n + 1)); done; sleep " +
           std::to_string(later) + "; kill -KILL $! 2>/dev/null; wait $!; }; kill_later";
  }

  // Whatever a kill leaves, resumed to its end, is the uninterrupted run.
  void expect_kills_change_nothing(int kills, const std::string& settings = "") {
    ASSERT_EQ(run(train(settings + "--out whole")).code, 0);
    const auto whole = result("whole");
    const auto& log = whole.at("run/metrics.jsonl");
    const auto lines = static_cast<double>(std::ranges::count(log, '\n'));
    const RandomStream moments(1, "kill");
    int killed = 0;
    for (int i = 0; i < kills; ++i) {
      // Every fourth time begin anew, so that early moments come too.
      if (i % 4 == 0) std::filesystem::remove_all(folder_ / "killed");
      // From loading the program to the last steps of the run: so many lines of its log, then any
      // moment of the steps after it.
      const auto line = static_cast<int64_t>(moments.uniform(static_cast<uint64_t>(2 * i)) * lines);
      const double later = 0.05 * moments.uniform(static_cast<uint64_t>(2 * i + 1));
      const ProgramResult first =
          run(train(settings + "--out killed --resume"), kill_after_line(line, later));
      if (first.code == 128 + SIGKILL) ++killed;
      std::filesystem::remove_all(folder_ / "resumed");
      if (!std::filesystem::exists(folder_ / "killed")) continue;
      std::filesystem::copy(folder_ / "killed", folder_ / "resumed",
                            std::filesystem::copy_options::recursive);
      const ProgramResult last = run(train(settings + "--out resumed --resume"));
      ASSERT_EQ(last.code, 0) << last.err;
      EXPECT_EQ(result("resumed"), whole) << "killed " << later << " s after line " << line;
      for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_ / "resumed")) {
        EXPECT_FALSE(entry.path().filename().string().starts_with(".tmp")) << entry.path();
      }
    }
    // A run may end before its moment, but not all of them.
    EXPECT_GT(killed, kills / 4);
  }

  static inline const std::string kTiny =
      "data.path=data denoiser.patch=4 denoiser.width=16 denoiser.layers=2 "
      "denoiser.condition_width=16 denoiser_training.steps=300 denoiser_training.batch=8 "
      "denoiser_training.warmup=10 denoiser_training.log_every=7 "
      "denoiser_training.validate_every=20 denoiser_training.checkpoint_every=11 "
      "finetune.steps=10 finetune.batch=4 finetune.checkpoint_every=3 finetune.pushforward=2 "
      "sampler.steps=10 validation.samples=16 ";
  static inline const std::string kTinyCodec =
      "codec.latent_channels=2 codec.widths=[4] codec.heads=1 codec.groups=2 codec.frozen=false "
      "codec.kl_weight=1e-9 "
      "codec_training.steps=200 codec_training.batch=4 codec_training.validate_every=20 "
      "codec_training.checkpoint_every=11 denoiser.patch=2 ";
  static inline const std::string kTinyCvae =
      kTinyCodec + "codec.network=cvae codec.stem=4 codec.patch=1 ";
  // Few calls and training through several frames, as the small presets have it.
  static inline const std::string kTinyConv =
      "denoiser.network=conv denoiser.channels=[4,4] denoiser.blocks=1 denoiser.dilations=[2] "
      "denoiser.frequencies=8 diffusion.prediction=x0 diffusion.input=estimate "
      "diffusion.levels=sampled sampler.steps=1 sampler.spacing=trailing "
      "denoiser_training.steps=120 denoiser_training.unroll=3 denoiser_training.unroll_after=30 "
      "denoiser_training.full_windows=true denoiser_training.context_noise=0.1 ";
  static inline const std::string kTinyAutoencoder = kTinyCodec + "codec.network=autoencoder_kl ";
};

TEST_F(TrainTest, MakesABundleThatInspectKnows) {
  const ProgramResult trained = run(train("--out model"));
  ASSERT_EQ(trained.code, 0) << trained.err;
  EXPECT_THAT(trained.out, AllOf(HasSubstr("denoiser"), HasSubstr("finetune")));
  const ProgramResult inspected = run("inspect model");
  EXPECT_EQ(inspected.code, 0) << inspected.err;
  EXPECT_THAT(inspected.out, AllOf(HasSubstr("bundle"), HasSubstr("checksum fits")));
  std::filesystem::copy_file(folder_ / "model/denoiser.safetensors",
                             folder_ / "model/codec.safetensors",
                             std::filesystem::copy_options::overwrite_existing);
  const ProgramResult other = run("inspect model");
  EXPECT_EQ(other.code, 2);
  EXPECT_THAT(other.out, HasSubstr("CHECKSUM DOES NOT FIT"));
  EXPECT_THAT(other.err, HasSubstr("found other ones in codec.safetensors"));
}

TEST_F(TrainTest, KillsAtRandomMomentsChangeNothing) { expect_kills_change_nothing(3); }

TEST_F(TrainTest, KillsOfAConvolutionalNetworkChangeNothing) {
  expect_kills_change_nothing(2, kTinyConv);
}

TEST_F(TrainTest, SlowTwentyKillsAtRandomMomentsChangeNothing) { expect_kills_change_nothing(20); }

TEST_F(TrainTest, SlowKillsWhileTheCodecTrainsChangeNothing) {
  expect_kills_change_nothing(8, kTinyCvae);
}

// Each kind of codec is trained, described, and good for another denoiser of the same frames.
TEST_F(TrainTest, CodecsAreTrainedAndTaken) {
  for (const std::string& codec : {kTinyCvae, kTinyAutoencoder}) {
    std::filesystem::remove_all(folder_ / "first");
    std::filesystem::remove_all(folder_ / "second");
    const std::string brief =
        codec +
        "codec_training.learning_rate=0.02 codec_training.steps=80 "
        "codec_training.validate_every=80 denoiser_training.steps=20 finetune.steps=0 ";
    const ProgramResult first = run(train(brief + "stored=half --out first"));
    ASSERT_EQ(first.code, 0) << first.err;
    EXPECT_THAT(first.out, HasSubstr("codec"));
    const ProgramResult second =
        run(train("codec.bundle=first denoiser.patch=2 denoiser_training.steps=20 finetune.steps=0 "
                  "stored=half --out second"));
    ASSERT_EQ(second.code, 0) << second.err;
    EXPECT_EQ(read_file(folder_ / "second/codec.safetensors"),
              read_file(folder_ / "first/codec.safetensors"));
  }
  ASSERT_EQ(run("generate linear_gaussian --out wide --train 6 --valid 4 --test 2 resolution=8 "
                "frames=8")
                .code,
            0);
  expect_mistake(run(train("data.path=wide codec.bundle=first denoiser.patch=2 --out third")),
                 "expected a codec for the frames of wide, found one for 4x4 frames");
}

// No step at rate zero: the weights stay what they were taken as.
TEST_F(TrainTest, TrainingGoesOnFromTheWeightsOfABundle) {
  ASSERT_EQ(run(train(kTinyConv + "--out first")).code, 0);
  const std::string still =
      " denoiser.bundle=first denoiser_training.learning_rate=1e-30 finetune.steps=0 ";
  const ProgramResult second = run(train(kTinyConv + still + "--out second"));
  ASSERT_EQ(second.code, 0) << second.err;
  EXPECT_EQ(read_file(folder_ / "first/denoiser.safetensors"),
            read_file(folder_ / "second/denoiser.safetensors"));
  expect_mistake(run(train(kTinyConv + still + "denoiser.channels=[8] --out third")),
                 "expected a denoiser of this training's settings");
  expect_mistake(run(train(kTinyConv + " denoiser.bundle=nowhere --out third")), "nowhere");
  // One call at the highest level is all that this network knows.
  expect_mistake(run("rollout --model first --data data --out r.hdf5 sampler.steps=4"),
                 "expected noise levels the model was trained at");
}

TEST_F(TrainTest, ABundleWithoutItsRunIsNotTrainedOver) {
  ASSERT_EQ(run(train("--out model")).code, 0);
  const auto before = result("model");
  std::filesystem::rename(folder_ / "model/run", folder_ / "kept");
  expect_mistake(run(train("--out model --resume")), "finished bundle without its folder run");
  expect_mistake(run(train("--out model")), "--force replaces it");
  std::filesystem::rename(folder_ / "kept", folder_ / "model/run");
  EXPECT_EQ(result("model"), before);
}

TEST_F(TrainTest, AKillWhileTheBundleIsWrittenLeavesNothing) {
  ASSERT_EQ(run(train("--out model")).code, 0);
  const auto whole = result("model");
  std::filesystem::remove(folder_ / "model/model.toml");
  for (const std::string name :
       {"training.jsonl", "codec.safetensors", "denoiser.safetensors", "model.toml"}) {
    write_file(folder_ / "model" / AtomicFile::temporary_name(99999999, name), "half");
  }
  ASSERT_EQ(run(train("--out model --resume")).code, 0);
  EXPECT_EQ(result("model"), whole);
  for (const auto& entry : std::filesystem::directory_iterator(folder_ / "model")) {
    EXPECT_FALSE(AtomicFile::is_temporary(entry.path())) << entry.path();
  }
}

TEST_F(TrainTest, AFinishedBundleIsNotReplaced) {
  ASSERT_EQ(run(train("--out model")).code, 0);
  const auto before = result("model");
  expect_mistake(run(train("--out model")), "--force replaces it");
  expect_mistake(run(train("--out model --resume seed=5")), "expected the settings this run");
  EXPECT_EQ(result("model"), before);
}

TEST_F(TrainTest, ADamagedCheckpointIsSaidAndThePreviousUsed) {
  ASSERT_EQ(run(train("--out whole")).code, 0);
  ASSERT_EQ(run(train("--out cut")).code, 0);
  std::filesystem::remove(folder_ / "cut" / "model.toml");
  const auto newest = folder_ / "cut/run/denoiser/checkpoint-000000300.safetensors";
  write_file(newest, read_file(newest).substr(0, 1000));
  const ProgramResult resumed = run(train("--out cut --resume"));
  ASSERT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_THAT(resumed.err, AllOf(HasSubstr("checkpoint-000000300"), HasSubstr("going back")));
  // The log is the same but for the order of its lines: those of the later stage were kept.
  auto cut = result("cut"), whole = result("whole");
  for (auto* files : {&cut, &whole}) files->erase("run/metrics.jsonl");
  EXPECT_EQ(cut, whole);
}

TEST_F(TrainTest, MistakesAreOneLine) {
  expect_mistake(run(train("--out m denoiser.wdith=3")), "did you mean denoiser.width");
  expect_mistake(run(train("--out m denoiser.patch=3")), "patch");
  expect_mistake(run(train("--out m data.path=nowhere")), "nowhere");
  expect_mistake(run(train("--out m data.frames=1")), "frames");
  expect_mistake(run(train("--out m sampler.steps=150")), "sampler");
  expect_mistake(run(train("--out m diffusion.prediction=eps sampler.spacing=trailing")),
                 "expected v or x0 with sampler.spacing=trailing");
  expect_mistake(
      run(train(kTinyConv + "--out m finetune.full_windows=true finetune.pushforward=64")),
      "unrolled steps, found");
  expect_mistake(run("train nowhere.toml --out m"), "nowhere.toml");
  expect_mistake(run(train("--out m codec.bundle=nowhere")), "nowhere");
  expect_mistake(run(train("--out m codec.network=taesd codec.weights=w")),
                 "codec.network: taesd is for video; data is not, use cvae");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "m"));
}

TEST_F(TrainTest, NanInTheDataIsNamed) {
  const std::string spoil =
      "/usr/bin/python3 -c \"import h5py; h5py.File('" + (folder_ / "data").string() +
      "/data/train/linear_gaussian.hdf5', 'r+')['t0_fields/state'][3, 5, 1, 2] = float('nan')\"";
  ASSERT_EQ(std::system(spoil.c_str()), 0);
  expect_mistake(run(train("--out m")), "split train, trajectory 3, frame 5");
}

// --- Several ranks ------------------------------------------------------------------------------

class RanksTest : public TrainTest {
 protected:
  std::vector<double> weights(const std::string& out) const {
    const SafetensorsFile file(folder_ / out / "run/denoiser/checkpoint-000000050.safetensors");
    const TensorInfo& info = file.find("values");
    std::vector<double> values(static_cast<size_t>(info.elements()));
    file.read_bytes(info, std::as_writable_bytes(std::span(values)));
    return values;
  }

  // Of every logged step.
  std::vector<double> losses(const std::string& out) const {
    std::vector<double> values;
    std::istringstream lines(read_file(folder_ / out / "run/metrics.jsonl"));
    for (std::string line; std::getline(lines, line);) {
      const auto entry = read_json(line);
      EXPECT_FALSE(entry.is_discarded()) << line;
      if (entry.contains("loss")) values.push_back(entry["loss"]);
    }
    return values;
  }

  void expect_two_ranks_follow_one(const std::string& settings, int port) {
    const std::string fifty = settings + kFifty + "precision=double ";
    ASSERT_EQ(run(train(fifty + "--out one")).code, 0);
    const ProgramResult two = run_ranks(train(fifty + "--out two"), port);
    ASSERT_EQ(two.code, 0) << two.err << read_file(folder_ / "other.err");
    const auto one_rank = weights("one"), two_ranks = weights("two");
    ASSERT_EQ(one_rank.size(), two_ranks.size());
    double largest = 0;
    for (size_t i = 0; i < one_rank.size(); ++i) {
      largest = std::max(largest, std::abs(one_rank[i] - two_ranks[i]));
    }
    EXPECT_LT(largest, 1e-9);
    EXPECT_GT(largest, 0);  // they did not do the same thing by accident of one rank doing it all
  }

  static inline const std::string kFifty = " denoiser_training.steps=50 finetune.steps=0 ";
};

// The sum over ranks adds in another order: double precision leaves 1e-9 after 50 steps with room.
TEST_F(RanksTest, TwoRanksFollowOne) { expect_two_ranks_follow_one("", 29711); }

TEST_F(RanksTest, TwoRanksOfAConvolutionalNetworkFollowOne) {
  expect_two_ranks_follow_one(kTinyConv, 29715);
}

// Single precision drifts faster; what is promised is the loss.
TEST_F(RanksTest, InSinglePrecisionLossesAgreeToAThousandth) {
  ASSERT_EQ(run(train(kFifty + "--out one")).code, 0);
  const ProgramResult two = run_ranks(train(kFifty + "--out two"), 29713);
  ASSERT_EQ(two.code, 0) << two.err << read_file(folder_ / "other.err");
  const auto one_rank = losses("one"), two_ranks = losses("two");
  ASSERT_EQ(one_rank.size(), 8U);  // every seventh of 50 steps, and the last
  ASSERT_EQ(two_ranks.size(), one_rank.size());
  for (size_t i = 0; i < one_rank.size(); ++i) {
    EXPECT_NEAR(two_ranks[i] / one_rank[i], 1, 1e-3) << i;
  }
}

TEST_F(RanksTest, AKilledRankIsReportedAndTheRunContinues) {
  const std::string long_run = " denoiser_training.steps=100000 finetune.steps=0 --timeout 20 ";
  const ProgramResult result =
      run_ranks(train(long_run + "--out model"), 29712,
                "kill_later() { \"$@\" & while [ -z \"$(ls model/run/denoiser 2>/dev/null)\" ]; do "
                "sleep 0.05; done; kill -KILL $!; wait $!; }; kill_later");
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.err, HasSubstr("[distributed]"));
  // One rank alone goes on where two had come to.
  const ProgramResult alone =
      run(train(long_run + "--out model --resume"),
          "stop_later() { \"$@\" & while kill -0 $! && ! grep -q 'going on' stderr.txt; do "
          "sleep 0.05; done; kill -TERM $!; wait $!; }; stop_later");
  EXPECT_EQ(alone.code, 128 + SIGTERM) << alone.err;
  EXPECT_THAT(alone.err, HasSubstr("denoiser: going on after step"));
}

}  // namespace
}  // namespace roundtrip

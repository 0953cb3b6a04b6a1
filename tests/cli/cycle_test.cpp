// The subcommands `cycle` and `rollout`, run as a user would, with an untrained model of the
// linear-Gaussian system: seconds a run.
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "roundtrip/base/atomic_file.h"
#include "roundtrip/base/csv.h"
#include "roundtrip/base/random.h"
#include "roundtrip/io/clips.h"
#include "roundtrip/io/well_reader.h"
#include "tests/cli/program.h"
#include "tests/io/video_files.h"

namespace roundtrip {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class CycleTest : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    ASSERT_TRUE(make_model()) << "generate or train failed; see " << shared_;
  }

  // One model for all tests, which run as processes of their own: the first one trains it, beside
  // the program, and a newer program trains it again.
  static bool make_model() {
    const std::filesystem::path program(ROUNDTRIP_PROGRAM);
    shared_ = program.parent_path().parent_path() / "tests" / "cycle_model";
    const std::string made_by =
        std::to_string(std::filesystem::last_write_time(program.parent_path() / "roundtrip-torch")
                           .time_since_epoch()
                           .count());
    const std::string go = "cd '" + shared_.string() + "' && '" ROUNDTRIP_PROGRAM "' ";
    const std::string script =
        "exec 9>'" + shared_.string() + ".lock' && flock 9 && if [ \"$(cat '" + shared_.string() +
        "/made_by' 2>/dev/null)\" != " + made_by + " ]; then rm -rf '" + shared_.string() +
        "' && mkdir -p '" + shared_.string() + "' && " + go +
        "generate linear_gaussian --out data --train 4 --valid 4 --test 7 resolution=4 frames=9 "
        ">log.txt 2>&1 && " +
        go +
        "train " ROUNDTRIP_SOURCE_DIR
        "/configs/linear_gaussian-small.toml data.path=data denoiser.contexts=2 denoiser.patch=4 "
        "denoiser.width=16 denoiser.layers=2 denoiser.condition_width=16 "
        "denoiser_training.steps=40 denoiser_training.batch=8 sampler.steps=4 "
        "validation.samples=16 --out model >>log.txt 2>&1 && echo " +
        made_by + " >made_by; fi";
    return std::system(script.c_str()) == 0;
  }

  static std::string cycle(const std::string& rest) {
    return "cycle --model " + (shared_ / "model").string() + " --data " +
           (shared_ / "data").string() + " " + rest;
  }
  static std::string rollout(const std::string& rest) {
    return "rollout --model " + (shared_ / "model").string() + " --data " +
           (shared_ / "data").string() + " " + rest;
  }

  static inline std::filesystem::path shared_;
};

TEST_F(CycleTest, WritesATableWithItsProvenance) {
  const ProgramResult made =
      run(cycle("--out curves.csv --split test,calibration --depths 1-3,7 --signals "
                "round_trip,error,residual,mirror,spread_seed,spread_ancestral,averaged,fbf,local,"
                "seed_step,seed_knn,seed_codec,fields"));
  ASSERT_EQ(made.code, 0) << made.err;
  const CsvTable table = read_csv(folder_ / "curves.csv");
  EXPECT_THAT(table.columns,
              ElementsAre("split", "trajectory", "depth", "C", "C_regenerated", "C_leakfree", "E",
                          "E_pair", "delta", "C_back", "E_back", "spread_seed", "spread_ancestral",
                          "C_averaged", "fbf", "local_1", "local_2", "local_4", "seed_step",
                          "seed_knn", "seed_codec", "E_state"));
  ASSERT_EQ(table.rows.size(), (2 + 7) * 4U);
  EXPECT_EQ(table.texts("split").front(), "calibration");
  EXPECT_EQ(table.texts("split").back(), "test");
  std::vector<double> depths = table.numbers("depth");
  depths.resize(5);
  EXPECT_THAT(depths, ElementsAre(1, 2, 3, 7, 1));
  for (const std::string& column : table.columns) {
    if (column == "split") continue;
    for (const double value : table.numbers(column)) EXPECT_TRUE(std::isfinite(value)) << column;
  }
  EXPECT_THAT(read_file(folder_ / "curves.csv.json"),
              AllOf(HasSubstr("\"version\""), HasSubstr("fingerprint"), HasSubstr("digest")));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "curves.csv.parts"));
}

TEST_F(CycleTest, AStoppedTableContinuesToTheSameBytes) {
  const std::string rest =
      "--depths 1-7 --group 1 --signals round_trip,error,residual,mirror,fbf,averaged ";
  ASSERT_EQ(run(cycle(rest + "--out whole.csv")).code, 0);
  for (const std::string signal : {"KILL", "INT"}) {
    // As soon as the third part is there; four are still to come.
    const std::string command =
        "cd '" + folder_.string() + "' && ('" ROUNDTRIP_PROGRAM "' " +
        cycle(rest + "--out " + signal + ".csv") +
        " >/dev/null 2>&1 & pid=$!; for i in $(seq 3000); do [ -e " + signal +
        ".csv.parts/000002.csv ] && break; sleep 0.01; done; kill -" + signal + " $pid; wait $pid)";
    std::system(command.c_str());
    EXPECT_TRUE(std::filesystem::exists(folder_ / (signal + ".csv.parts") / "000002.csv"));
    EXPECT_FALSE(std::filesystem::exists(folder_ / (signal + ".csv")));
    const ProgramResult last = run(cycle(rest + "--out " + signal + ".csv"));
    ASSERT_EQ(last.code, 0) << last.err;
    EXPECT_EQ(read_file(folder_ / (signal + ".csv")), read_file(folder_ / "whole.csv"));
    EXPECT_EQ(read_file(folder_ / (signal + ".csv.json")), read_file(folder_ / "whole.csv.json"));
    EXPECT_FALSE(std::filesystem::exists(folder_ / (signal + ".csv.parts")));
  }
}

// What is kept is used, not made again: a part that says something else ends up in the table.
TEST_F(CycleTest, FinishedPartsAreNotMadeAgain) {
  const std::string rest = "--depths 1 --group 4 --out c.csv ";
  ASSERT_EQ(run(cycle(rest)).code, 0);
  const std::string context = read_file(folder_ / "c.csv.json");
  std::filesystem::remove(folder_ / "c.csv");
  std::filesystem::create_directories(folder_ / "c.csv.parts");
  write_file(folder_ / "c.csv.parts" / "context.json", context);
  write_file(folder_ / "c.csv.parts" / "000000.csv", "test,0,1,9,9,9,9,9\n");
  ASSERT_EQ(run(cycle(rest)).code, 0);
  EXPECT_THAT(read_file(folder_ / "c.csv"), HasSubstr("test,0,1,9,9,9,9,9\ntest,4,1,"));
}

TEST_F(CycleTest, PartsOfOtherSettingsAreNotMixedIn) {
  std::filesystem::create_directories(folder_ / "c.csv.parts");
  write_file(folder_ / "c.csv.parts" / "context.json", "{}\n");
  expect_mistake(run(cycle("--out c.csv --depths 1")), "found others; --force begins anew");
  std::filesystem::remove(folder_ / "c.csv.parts" / "context.json");  // nobody knows whose they are
  expect_mistake(run(cycle("--out c.csv --depths 1")), "found others; --force begins anew");
  EXPECT_EQ(run(cycle("--out c.csv --depths 1 --force")).code, 0);
}

TEST_F(CycleTest, RanksShareTheWork) {
  const std::string rest = "--depths 1,4 --group 2 ";
  ASSERT_EQ(run(cycle(rest + "--out one.csv"), "OMP_NUM_THREADS=1").code, 0);
  const ProgramResult first = run_ranks(cycle(rest + "--out two.csv"), 29731);
  ASSERT_EQ(first.code, 0) << first.err;
  // Groups are the same trajectories on any number of ranks, and so are the batches.
  EXPECT_EQ(read_file(folder_ / "two.csv"), read_file(folder_ / "one.csv"));
}

TEST_F(CycleTest, MistakesAreToldInOneLine) {
  expect_mistake(run(cycle("--out c.csv --depths 0,1")), "expected depths of at least 1, found 0");
  expect_mistake(run(cycle("--out c.csv --depths 4-2")), "expected ranges that go up");
  expect_mistake(run(cycle("--out c.csv --depths x")), "expected numbers and ranges");
  expect_mistake(run(cycle("--out c.csv --depths 1-8")), "the deepest it allows is 7");
  expect_mistake(run(cycle("--out c.csv --signals round_trip,erorr")), "erorr");
  expect_mistake(run(cycle("--out c.csv --split tets")), "tets");
  expect_mistake(run(cycle("--out c.csv --split other")), "split other is empty (train 4,");
  expect_mistake(run(cycle("--out c.csv --split ''")), "expected at least one, found none");
  expect_mistake(run(cycle("--out c.csv --signals ''")), "expected at least one, found none");
  expect_mistake(run(cycle("--out c.csv --seeds 20 --signals round_trip")),
                 "expected at least 20 frames to start from, found 9");
  expect_mistake(run(cycle("--out c.csv sampler.stpes=3")), "sampler.steps");
  write_file(folder_ / "there.csv", "mine");
  expect_mistake(run(cycle("--out there.csv --depths 1")), "--force replaces it");
  EXPECT_EQ(read_file(folder_ / "there.csv"), "mine");
  expect_mistake(
      run("cycle --model nowhere --data " + (shared_ / "data").string() + " --out c.csv"),
      "nowhere");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "c.csv"));
}

TEST_F(CycleTest, WithoutTruthDepthsMayGoBeyondTheData) {
  const ProgramResult made = run(cycle("--out c.csv --depths 12 --signals round_trip"));
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_EQ(read_csv(folder_ / "c.csv").rows.size(), 7U);
}

TEST_F(CycleTest, AFullDiskLeavesNothingHalfWritten) {
  // Files of at most 4 kB (8 blocks), and no signal for more: enough for settings, not for a part.
  const std::string full = "trap '' XFSZ; ulimit -f 8;";
  const std::string rest = "--out c.csv --depths 1-7 --signals round_trip,error,mirror,local";
  expect_mistake(run(cycle(rest), full), "c.csv.parts");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "c.csv"));
  EXPECT_EQ(run(cycle(rest)).code, 0);
  expect_mistake(run(rollout("--out f.hdf5 --depth 30"), full), "f.hdf5");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "f.hdf5"));
}

TEST_F(CycleTest, TheExampleStopsWhereItShould) {
  const auto example = std::filesystem::path(ROUNDTRIP_PROGRAM).parent_path().parent_path() /
                       "examples" / "example_diffusion_stepper";
  if (!std::filesystem::exists(example)) GTEST_SKIP() << "built without examples";
  const auto lines = [&](const std::string& limit) {
    const std::string command = "'" + example.string() + "' '" + (shared_ / "model").string() +
                                "' '" + (shared_ / "data").string() + "' " + limit + " >'" +
                                (folder_ / "out.txt").string() + "'";
    EXPECT_EQ(std::system(command.c_str()), 0);
    return read_file(folder_ / "out.txt");
  };
  EXPECT_THAT(lines("1e9"), HasSubstr("depth  7"));
  EXPECT_THAT(lines("0"),
              AllOf(HasSubstr("stopped: C is above 0"), testing::Not(HasSubstr("depth  2"))));
}

// From curves to trust, with a table of calibration trajectories too small for finite conformal
// bounds: that is said, not hidden.
TEST_F(CycleTest, TrustNeedsNoTruth) {
  ASSERT_EQ(run("generate linear_gaussian --out more --train 0 --valid 40 --test 2 resolution=4 "
                "frames=9 --seed 5")
                .code,
            0);
  const std::string on_more =
      " --model " + (shared_ / "model").string() + " --data more --depths 1,2,4,6 --out c.csv";
  ASSERT_EQ(run("cycle --split calibration" + on_more).code, 0);
  const ProgramResult fitted = run("calibrate --curves c.csv --out calibrators.json");
  ASSERT_EQ(fitted.code, 0) << fitted.err;
  const std::string trust = "trust --model " + (shared_ / "model").string() +
                            " --data more --calibrators calibrators.json --depth 6 ";
  const ProgramResult told = run(trust + "--out told --trajectories 2 --tolerance 1.5");
  ASSERT_EQ(told.code, 0) << told.err;
  EXPECT_THAT(told.out, AllOf(HasSubstr("PREDICTED E"), HasSubstr("Trusted to depth"),
                              HasSubstr("Alarm"), HasSubstr("plain rollouts")));
  EXPECT_THAT(read_file(folder_ / "told" / "trust.json"),
              AllOf(HasSubstr("\"trusted_depth\""), HasSubstr("\"median\"")));
  EXPECT_EQ(WellReader(folder_ / "told" / "frames.hdf5").header().frames(), 2 + 6);
  // The same from data that ends with the seeds.
  ASSERT_EQ(run("generate linear_gaussian --out seeds --train 0 --valid 0 --test 2 resolution=4 "
                "frames=2 --seed 5")
                .code,
            0);
  const std::string blind = "trust --model " + (shared_ / "model").string() +
                            " --data seeds --calibrators calibrators.json --depth 6 ";
  const ProgramResult untold = run(blind + "--out untold --trajectories 2 --tolerance 1.5");
  ASSERT_EQ(untold.code, 0) << untold.err;
  const auto table = [](const std::string& text) { return text.substr(0, text.find("Frames")); };
  EXPECT_EQ(table(untold.out), table(told.out));
  // Rollouts from more seeds than the model sees are others than the calibrators know.
  ASSERT_EQ(run("cycle --split calibration --seeds 3 --model " + (shared_ / "model").string() +
                " --data more --depths 1,2,4,6 --out three.csv")
                .code,
            0);
  ASSERT_EQ(run("calibrate --curves three.csv --out three.json").code, 0);
  expect_mistake(run("trust --model " + (shared_ / "model").string() +
                     " --data seeds --calibrators three.json --depth 6 --out no"),
                 "--any-calibrators");
  const ProgramResult json = run(trust + "--out json --json");
  ASSERT_EQ(json.code, 0) << json.err;
  EXPECT_THAT(json.out, HasSubstr("\"alarm_threshold\""));
  expect_mistake(run(trust + "--out told"), "--force replaces it");
  expect_mistake(run(trust + "--out other --level 0.93"), "expected one of 0.9, 0.95");
  expect_mistake(run(trust + "--out other --stop"), "expected a tolerance to stop at");
  expect_mistake(run(trust + "--out other sampler.steps=2"),
                 "expected those of this model and sampling");
  expect_mistake(run(trust + "--out other --first 2"), "has no more");
}

class ClipsSubcommands : public ProgramTest {
 protected:
  // Clips of 16 x 16 pixels, each moving from another start; two of them faster.
  void write_folder() const {
    std::vector<Clip> clips;
    for (int64_t i = 0; i < 50; ++i) {
      const std::string split = i < 6 ? "train" : (i < 46 ? "valid" : (i < 48 ? "test" : "other"));
      clips.push_back({std::to_string(i) + ".mp4", split == "other" ? "bert" : "anna", split});
      VideoWriter writer(folder_ / clips.back().file, {.width = 16, .height = 16});
      for (int64_t k = 0; k < 9; ++k) {
        writer.write(moving_picture(16, 16, 3 * i + (split == "other" ? 4 * k : k)));
      }
      writer.finish();
    }
    write_clips(folder_, clips);
  }

  ProgramResult train(const std::string& rest) const {
    return run(
        "train " ROUNDTRIP_SOURCE_DIR
        "/configs/talking_head-dit.toml data.path=. data.stride=1 codec.network=identity "
        "denoiser.patch=8 denoiser.width=16 denoiser.layers=2 denoiser.heads=2 "
        "denoiser.condition_width=16 denoiser_training.steps=40 denoiser_training.batch=8 "
        "denoiser_training.warmup=5 sampler.steps=4 validation.samples=8 validation.depth=4 " +
        rest);
  }
};

TEST_F(ClipsSubcommands, OtherIsASplitLikeAnyToEvaluation) {
  write_folder();
  const ProgramResult trained = train("--out model");
  ASSERT_EQ(trained.code, 0) << trained.err;
  const std::string on = " --model model --data . ";
  const ProgramResult known = run("cycle --split calibration --depths 1-4 --out known.csv" + on);
  ASSERT_EQ(known.code, 0) << known.err;
  ASSERT_EQ(run("cycle --split other,test --depths 1-4 --out new.csv" + on).code, 0);
  const CsvTable table = read_csv(folder_ / "new.csv");
  ASSERT_EQ(table.rows.size(), (2 + 2) * 4U);
  EXPECT_EQ(table.texts("split").front(), "other");
  EXPECT_EQ(table.texts("split").back(), "test");
  ASSERT_EQ(run("rollout --split other --depth 5 --out frames.hdf5" + on).code, 0);
  const WellReader frames(folder_ / "frames.hdf5");
  EXPECT_EQ(frames.header().n_trajectories, 2);
  EXPECT_EQ(frames.header().frames(), 2 + 5);
  ASSERT_EQ(run("calibrate --curves known.csv --out calibrators.json").code, 0);
  const ProgramResult told = run(
      "trust --split other --trajectories 2 --depth 4 --calibrators calibrators.json --out told" +
      on);
  ASSERT_EQ(told.code, 0) << told.err;
  EXPECT_THAT(told.out, AllOf(HasSubstr("Trajectory 1"), HasSubstr("PREDICTED E")));
}

TEST_F(ClipsSubcommands, TheClipThatIsTooShortIsNamed) {
  write_folder();
  write_moving_video(folder_ / "3.mp4", {.width = 16, .height = 16}, 6);
  expect_mistake(train("--out model data.stride=3"),
                 "train trajectory 3 (3.mp4): expected at least 3 frames for 2 contexts and "
                 "0 unrolled steps, found 2 at stride 3; leave it out or lower data.stride");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "model"));
}

TEST_F(CycleTest, RolloutWritesFramesInTheOrderOfTime) {
  ASSERT_EQ(run(rollout("--out forward.hdf5 --depth 5")).code, 0);
  ASSERT_EQ(
      run(rollout("--out backward.hdf5 --depth 5 --direction backward --trajectories 3")).code, 0);
  const WellReader forward(folder_ / "forward.hdf5"), backward(folder_ / "backward.hdf5");
  EXPECT_EQ(forward.header().n_trajectories, 7);
  EXPECT_EQ(backward.header().n_trajectories, 3);
  const int64_t frames = forward.header().frames();
  const int64_t seeds = frames - 5;
  EXPECT_EQ(forward.times(0).front(), 0);
  EXPECT_EQ(backward.times(0).back(), 8);
  // Seeds are the data's own, at the front going forward and at the end going backward.
  const WellReader data(*std::filesystem::directory_iterator(shared_ / "data" / "data" / "test"));
  std::vector<float> truth(static_cast<size_t>(seeds) * 16), found(truth.size());
  data.read_window(0, 0, seeds, truth);
  forward.read_window(0, 0, seeds, found);
  EXPECT_EQ(found, truth);
  data.read_window(0, 9 - seeds, seeds, truth);
  backward.read_window(0, 5, seeds, found);
  EXPECT_EQ(found, truth);
  expect_mistake(run(rollout("--out forward.hdf5 --depth 5")), "forward.hdf5");
  expect_mistake(run(rollout("--out b.hdf5 --depth 50 --direction backward")),
                 "back to its first frame is depth");
  expect_mistake(run(rollout("--out b.hdf5 --direction sideways")), "forward or backward");
}

}  // namespace
}  // namespace roundtrip

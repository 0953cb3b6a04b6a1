#include <csignal>
#include <map>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>
#include <unistd.h>

#include "cli/program.h"
#include "roundtrip/base/error.h"
#include "roundtrip/base/json_text.h"
#include "roundtrip/io/well_folder.h"

namespace roundtrip {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class GenerateTest : public ProgramTest {
 protected:
  // Every file below `name` with a hash of its bytes; hidden (temporary) files too. Not the bytes
  // themselves: GoogleTest would print megabytes where they differ.
  std::map<std::string, size_t> tree(const std::string& name) const {
    std::map<std::string, size_t> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder_ / name)) {
      if (!entry.is_regular_file()) continue;
      files[fs::relative(entry.path(), folder_ / name)] =
          std::hash<std::string>()(read_file(entry.path()));
    }
    return files;
  }

  const std::string kTiny =
      " --train 3 --valid 2 --test 1 --per-file 2 --seed 5 resolution=16 "
      "frames=3 end_time=0.02";
};

TEST_F(GenerateTest, WritesADatasetTheFolderReaderOpens) {
  const ProgramResult result = run("generate mhd --out d --json" + kTiny);
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(read_json(result.out)["rows"].size(), 4U);  // 2 + 1 + 1 files
  const WellFolder train(folder_ / "d", "train");
  EXPECT_EQ(train.n_trajectories(), 3);
  EXPECT_EQ(train.header().frames(), 3);
  EXPECT_TRUE(fs::exists(folder_ / "d" / "stats.yaml"));
}

TEST_F(GenerateTest, TheVortexOfTheManual) {
  const ProgramResult result =
      run("generate mhd --out D --train 0 --valid 0 --test 1 initial=orszag_tang resolution=32 "
          "end_time=0.05 frames=6");
  ASSERT_EQ(result.code, 0) << result.err;
  const WellFolder test(folder_ / "D", "test");
  EXPECT_EQ(test.header().frames(), 6);
  EXPECT_NEAR(test.header().time.coordinates.back(), 0.05, 1e-7);
}

// A test's name: the first word of its command.
const auto kSystemName = [](const testing::TestParamInfo<const char*>& row) {
  return std::string(row.param).substr(0, std::string(row.param).find(' '));
};

// One system of each kind of storage, and one whose files come in groups.
class GenerateBytesTest : public GenerateTest, public testing::WithParamInterface<const char*> {};

TEST_P(GenerateBytesTest, AreTheSameForAnyThreadsAndShards) {
  const std::string sizes =
      std::string(" ") + GetParam() + " --train 3 --valid 2 --test 1 --per-file 2";
  ASSERT_EQ(run("generate --out one --threads 1" + sizes).code, 0);
  ASSERT_EQ(run("generate --out many --threads 3" + sizes).code, 0);
  ASSERT_EQ(run("generate --out shards --shard 2/3" + sizes).code, 0);
  expect_mistake(run("generate --out shards --finish" + sizes), "missing");
  ASSERT_EQ(run("generate --out shards --shard 3/3" + sizes).code, 0);
  ASSERT_EQ(run("generate --out shards --shard 1/3" + sizes).code, 0);
  ASSERT_EQ(run("generate --out shards --finish" + sizes).code, 0);
  const auto one = tree("one");
  EXPECT_GE(one.size(), 6U);  // at least four data files, the manifest, statistics or clips
  EXPECT_EQ(tree("many"), one);
  EXPECT_EQ(tree("shards"), one);
}

INSTANTIATE_TEST_SUITE_P(Systems, GenerateBytesTest,
                         testing::Values("mhd resolution=16 frames=3 end_time=0.02",
                                         "radiative_layer resolution=8 frames=3 end_time=1",
                                         "talking_head resolution=32 frames=3"),
                         kSystemName);

// Frames go to disk as they are made: six times the trajectories take no more memory.
class GenerateMemoryTest : public GenerateBytesTest {
 protected:
  /// The most memory a run of the program held, in bytes. In a process of its own, since the system
  /// keeps the largest of all children of a process.
  int64_t peak(const std::string& arguments) const {
    int ends[2];
    ensure(::pipe(ends) == 0, "a pipe");
    const pid_t child = ::fork();
    if (child == 0) {
      int code = -1;
      try {
        code = run(arguments).code;
      } catch (const std::exception&) {  // must not go on as a second runner of tests
      }
      rusage used{};
      ::getrusage(RUSAGE_CHILDREN, &used);
      const int64_t bytes = code == 0 ? used.ru_maxrss * 1024 : -1;
      ::_exit(::write(ends[1], &bytes, sizeof bytes) == sizeof bytes ? 0 : 1);
    }
    ::close(ends[1]);
    int64_t bytes = -1;
    const ssize_t found = ::read(ends[0], &bytes, sizeof bytes);
    ::close(ends[0]);
    ::waitpid(child, nullptr, 0);
    return found == sizeof bytes ? bytes : -1;
  }

  int64_t size_of(const std::string& name) const {
    int64_t bytes = 0;
    for (const auto& entry : fs::recursive_directory_iterator(folder_ / name)) {
      if (entry.is_regular_file()) bytes += static_cast<int64_t>(entry.file_size());
    }
    return bytes;
  }
};

TEST_P(GenerateMemoryTest, DoesNotGrowWithTrajectories) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the sanitizer keeps memory that was given back";
#endif
  const std::string kind = std::string(" ") + GetParam() + " --valid 0 --test 0 --threads 2";
  const int64_t few = peak("generate --out few --train 2" + kind);
  const int64_t many = peak("generate --out many --train 12" + kind);
  ASSERT_GT(few, 0);
  ASSERT_GT(many, 0);
  const int64_t more = size_of("many") - size_of("few");
  EXPECT_GT(more, int64_t{60} << 20);
  // What the allocator keeps besides varies by a few MB from run to run.
  EXPECT_LT(many - few, more / 8) << few << " bytes, then " << many;
}

INSTANTIATE_TEST_SUITE_P(Systems, GenerateMemoryTest,
                         testing::Values("mhd resolution=64 frames=100 end_time=0.01",
                                         "navier_stokes resolution=64 solve_resolution=64 "
                                         "frames=500 end_time=2",
                                         "radiative_layer resolution=64 frames=100 end_time=0.01"),
                         kSystemName);

// Whatever the moment, what is there afterwards is whole and the rest can be made.
TEST_F(GenerateTest, KilledAndStoppedRunsEndInTheSameBytes) {
  const std::string work = " --train 6 --valid 0 --test 0 --per-file 1 --threads 2 resolution=48";
  ASSERT_EQ(run("generate mhd --out whole" + work).code, 0);
  for (const char* moment : {"0.05", "0.15", "0.25", "0.4"}) {
    run("generate mhd --out killed" + work, std::string("timeout --foreground -s KILL ") + moment);
  }
  ASSERT_EQ(run("generate mhd --out killed" + work).code, 0);
  EXPECT_EQ(tree("killed"), tree("whole"));

  // At work, and far from done, when the signal comes.
  const ProgramResult stopped =
      run("generate mhd --out stopped end_time=1000 frames=2" + work,
          "stop() { \"$@\" & while [ ! -e stopped/dataset.json ]; do sleep 0.02; done; "
          "kill -TERM $!; wait $!; }; stop");
  EXPECT_EQ(stopped.code, 128 + SIGTERM) << stopped.err;
  EXPECT_THAT(stopped.err, HasSubstr("finished files are kept, the same command"));
  for (const auto& [name, hash] : tree("stopped")) {
    EXPECT_EQ(name.find(".tmp-"), std::string::npos) << name;
  }
}

TEST_F(GenerateTest, AKilledRunContinues) {
  ASSERT_EQ(run("generate mhd --out whole" + kTiny).code, 0);
  ASSERT_EQ(run("generate mhd --out part --shard 1/2" + kTiny).code, 0);
  write_file(folder_ / "part/data/train" / AtomicFile::temporary_name(99999999, "mhd_001.hdf5"),
             "half a file");
  const ProgramResult rest = run("generate mhd --out part" + kTiny);
  ASSERT_EQ(rest.code, 0) << rest.err;
  EXPECT_THAT(rest.out, HasSubstr("kept"));
  EXPECT_EQ(tree("part"), tree("whole"));
}

TEST_F(GenerateTest, ANumberOfTrajectoriesDoesNotChangeTheOthers) {
  ASSERT_EQ(run("generate linear_gaussian --out a --train 2 --valid 0 --test 1 frames=4").code, 0);
  ASSERT_EQ(run("generate linear_gaussian --out b --train 5 --valid 0 --test 2 frames=4").code, 0);
  const WellFolder a(folder_ / "a", "test"), b(folder_ / "b", "test");
  std::vector<float> first(static_cast<size_t>(4 * a.header().frame_size())), second(first);
  a.read_window(0, 0, 4, first);
  b.read_window(0, 0, 4, second);
  EXPECT_EQ(first, second);
}

TEST_F(GenerateTest, OtherSettingsNeedForce) {
  ASSERT_EQ(run("generate mhd --out d" + kTiny).code, 0);
  const auto before = tree("d");
  expect_mistake(run("generate mhd --out d" + kTiny + " courant=0.3"), "--force");
  EXPECT_EQ(tree("d"), before);
  ASSERT_EQ(run("generate mhd --out d --force" + kTiny + " courant=0.3").code, 0);
  EXPECT_NE(tree("d"), before);
}

TEST_F(GenerateTest, AnUnfinishedForceDoesNotMixDatasets) {
  const std::string sizes = " --train 2 --valid 1 --test 1 --per-file 1 frames=3";
  ASSERT_EQ(run("generate linear_gaussian --out d --seed 1" + sizes).code, 0);
  ASSERT_EQ(run("generate linear_gaussian --out fresh --seed 2" + sizes).code, 0);
  ASSERT_EQ(run("generate linear_gaussian --out d --seed 2 --force --shard 1/4" + sizes).code, 0);
  ASSERT_EQ(run("generate linear_gaussian --out d --seed 2" + sizes).code, 0);
  EXPECT_EQ(tree("d"), tree("fresh"));
  // A smaller one replaces all of a larger one.
  ASSERT_EQ(run("generate linear_gaussian --out d --force --train 0 --valid 0 --test 1").code, 0);
  EXPECT_EQ(tree("d").size(), 2U);
}

// Forcing is for datasets of ours; a run into the wrong folder removes nothing.
TEST_F(GenerateTest, ForceRemovesOnlyWhatIsOurs) {
  fs::create_directories(folder_ / "theirs/data/train");
  write_file(folder_ / "theirs/dataset.json", R"({"name": "somebody else's"})");
  write_file(folder_ / "theirs/data/train/measured.hdf5", "years of work");
  const auto theirs = tree("theirs");
  expect_mistake(run("generate mhd --out theirs --force" + kTiny), "not made by");
  EXPECT_EQ(tree("theirs"), theirs);

  ASSERT_EQ(run("generate mhd --out mixed" + kTiny).code, 0);
  write_file(folder_ / "mixed/data/train/measured.hdf5", "years of work");
  const auto mixed = tree("mixed");
  expect_mistake(run("generate mhd --out mixed --force courant=0.3" + kTiny), "measured.hdf5");
  EXPECT_EQ(tree("mixed"), mixed);

  const std::string clips =
      "generate talking_head --out faces --force --train 2 --valid 0 --test 0"
      " frames=2 resolution=";
  ASSERT_EQ(run(clips + "32").code, 0);
  ASSERT_EQ(run(clips + "48").code, 0);
  write_file(folder_ / "faces/data/train/holiday.mp4", "x");
  expect_mistake(run(clips + "32"), "holiday.mp4");
}

// A strongly magnetised start breaks down; who reads the file later can see how many did.
TEST_F(GenerateTest, RedrawsStandInTheFile) {
  const std::string command =
      "generate mhd --out d --json --train 4 --valid 0 --test 0 --seed 1 resolution=16 frames=3 "
      "end_time=0.3 field_scale=12";
  const auto first = read_json(run(command).out)["rows"];
  ASSERT_EQ(first.size(), 1U);
  EXPECT_GT(first[0]["redraws"], 0);
  const auto second = read_json(run(command).out)["rows"];
  EXPECT_EQ(second[0]["kept"], true);
  EXPECT_EQ(second[0]["redraws"], first[0]["redraws"]);
}

// Nine cooling times: a split without some of them would be another dataset.
TEST_F(GenerateTest, SizesNotNamedHoldEveryKind) {
  const std::string command =
      "generate radiative_layer --json resolution=8 frames=2 end_time=0.1 --out ";
  const ProgramResult all = run(command + "all");
  EXPECT_EQ(read_json(all.out)["rows"].size(), 3U * 9U);
  EXPECT_EQ(all.err, "");
  const ProgramResult some = run(command + "some --train 2 --valid 0 --test 0");
  EXPECT_EQ(read_json(some.out)["rows"].size(), 2U);
  EXPECT_THAT(some.err, HasSubstr("multiples of 9"));
}

TEST_F(GenerateTest, FilesWithoutTheirManifestAreNotAdopted) {
  ASSERT_EQ(run("generate mhd --out d" + kTiny).code, 0);
  fs::remove(folder_ / "d" / "dataset.json");
  expect_mistake(run("generate mhd --out d" + kTiny), "not part of this dataset");
}

TEST_F(GenerateTest, AnotherFileOfTheSameNameIsNotAdopted) {
  ASSERT_EQ(run("generate mhd --out a" + kTiny).code, 0);
  ASSERT_EQ(run("generate mhd --out b velocity_scale=2" + kTiny).code, 0);
  fs::copy_file(folder_ / "b/data/test/mhd.hdf5", folder_ / "a/data/test/mhd.hdf5",
                fs::copy_options::overwrite_existing);
  expect_mistake(run("generate mhd --out a" + kTiny), "found others");
  write_file(folder_ / "a/data/test/mhd.hdf5", "");
  expect_mistake(run("generate mhd --out a" + kTiny), "mhd.hdf5");
}

TEST_F(GenerateTest, StrangersInTheFolderAreNotAdopted) {
  fs::create_directories(folder_ / "d" / "data" / "train");
  write_file(folder_ / "d" / "data" / "train" / "old.hdf5", "x");
  expect_mistake(run("generate mhd --out d" + kTiny), "old.hdf5");
}

TEST_F(GenerateTest, MistakesLeaveNothing) {
  expect_mistake(run("generate mhd --out d resolutoin=8"), "did you mean resolution?");
  expect_mistake(run("generate mhd --out d --train 0 --valid 0 --test 0"), "nothing to do");
  expect_mistake(run("generate mhd --out d --train -1"), "--train");
  expect_mistake(run("generate mhd --out d --shard 3/2"), "2/8");
  expect_mistake(run("generate mhd --out d --per-file 0"), "--per-file");
  expect_mistake(run("generate mhd --out d --threads 0"), "--threads");
  expect_mistake(run("generate mhd --out d --seed -1"), "--seed");
  expect_mistake(run("generate mhd --out d --seed 99999999999999999999"), "--seed");
  expect_mistake(run("generate mhd --out d end_time=inf"), "end_time");
  expect_mistake(run("generate mhd --out d resolution=16 max_mode=16"), "max_mode");
  expect_mistake(run("generate mhd --out d --finish"), "run its shards first");
  expect_mistake(run("generate mhd --out ''"), "--out");
  EXPECT_FALSE(fs::exists(folder_ / "d"));
}

// A full disk, by way of a limit on file size (blocks of 1024 bytes). One thread: under the address
// sanitizer HDF5 would otherwise work in the program itself, which it crashes after such a failure.
TEST_F(GenerateTest, AFullDiskIsOneLine) {
  const ProgramResult result =
      run("generate mhd --out d --threads 1" + kTiny, "ulimit -f 20; trap '' XFSZ;");
  expect_mistake(result, "d/data/train");
  for (const auto& [name, hash] : tree("d")) EXPECT_EQ(name, "dataset.json");
}

TEST_F(GenerateTest, ADashBeforeASettingIsExplained) {
  expect_mistake(run("generate mhd --out d --resolution 32"), "key=value");
  expect_mistake(run("generate MHD --out d"), "did you mean mhd?");
}

}  // namespace
}  // namespace roundtrip

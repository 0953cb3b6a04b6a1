#include "roundtrip/distributed/launch_environment.h"

#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

using testing::HasSubstr;
using Environment = std::map<std::string, std::string>;

LaunchEnvironment read(const Environment& variables) {
  return read_launch_environment([&](const std::string& name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    if (found == variables.end()) return std::nullopt;
    return found->second;
  });
}

std::string error_in(const Environment& variables) {
  return error_of([&] { read(variables); });
}

const Environment kTorchrun = {{"RANK", "3"},
                               {"WORLD_SIZE", "4"},
                               {"LOCAL_RANK", "1"},
                               {"MASTER_ADDR", "head"},
                               {"MASTER_PORT", "1234"}};
const Environment kSlurm = {
    {"SLURM_PROCID", "5"},           {"SLURM_NTASKS", "8"},
    {"SLURM_LOCALID", "1"},          {"SLURM_STEP_NUM_TASKS", "8"},
    {"SLURM_JOB_ID", "200505"},      {"SLURM_STEP_NODELIST", "gnode[010-012,20]"},
    {"SLURM_JOB_NODELIST", "a[1-9]"}};
const Environment kOpenMpi = {{"OMPI_COMM_WORLD_RANK", "1"},
                              {"OMPI_COMM_WORLD_SIZE", "2"},
                              {"OMPI_COMM_WORLD_LOCAL_RANK", "1"},
                              {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"}};

Environment with(Environment variables, const Environment& others) {
  for (const auto& [name, value] : others) variables[name] = value;
  return variables;
}

Environment without(Environment variables, const std::string& name) {
  variables.erase(name);
  return variables;
}

TEST(LaunchEnvironment, NothingSetIsOneRank) {
  const LaunchEnvironment place = read({});
  EXPECT_EQ(place.launcher, "none");
  EXPECT_EQ(place.rank, 0);
  EXPECT_EQ(place.size, 1);
}

TEST(LaunchEnvironment, ReadsTorchrun) {
  const LaunchEnvironment place = read(with(kTorchrun, {{"GLOO_SOCKET_IFNAME", "eth1"}}));
  EXPECT_EQ(place.launcher, "torchrun");
  EXPECT_EQ(place.rank, 3);
  EXPECT_EQ(place.size, 4);
  EXPECT_EQ(place.local_rank, 1);
  EXPECT_EQ(place.master_address, "head");
  EXPECT_EQ(place.master_port, 1234);
  EXPECT_FALSE(place.master_is_served);
  EXPECT_EQ(place.network_interface, "eth1");
}

// Torchrun's own process listens at MASTER_PORT then; rank 0 must not.
TEST(LaunchEnvironment, LeavesTheMeetingPlaceToTorchrunWhereItServesIt) {
  const LaunchEnvironment place = read(with(
      kTorchrun, {{"TORCHELASTIC_USE_AGENT_STORE", "True"}, {"TORCHELASTIC_RESTART_COUNT", "2"}}));
  EXPECT_TRUE(place.master_is_served);
  EXPECT_THAT(place.key_prefix, HasSubstr("2"));
}

TEST(LaunchEnvironment, ReadsSlurm) {
  const LaunchEnvironment place = read(kSlurm);
  EXPECT_EQ(place.launcher, "slurm");
  EXPECT_EQ(place.rank, 5);
  EXPECT_EQ(place.size, 8);
  EXPECT_EQ(place.local_rank, 1);
  EXPECT_EQ(place.master_address, "gnode010");
  EXPECT_EQ(place.master_port, 20505);
  const LaunchEnvironment told =
      read(with(kSlurm, {{"MASTER_ADDR", "head"}, {"MASTER_PORT", "77"}}));
  EXPECT_EQ(told.master_address, "head");
  EXPECT_EQ(told.master_port, 77);
}

TEST(LaunchEnvironment, FindsTheFirstHostOfANodeList) {
  const auto first = [](const std::string& nodes) {
    return read(with(kSlurm, {{"SLURM_STEP_NODELIST", nodes}})).master_address;
  };
  EXPECT_EQ(first("one"), "one");
  EXPECT_EQ(first("a1,b[2-3]"), "a1");
  EXPECT_EQ(first("n[7,9]"), "n7");
  EXPECT_EQ(first("rack[1-2]n[3-4].lan,x"), "rack1n3.lan");
  EXPECT_EQ(read(without(kSlurm, "SLURM_STEP_NODELIST")).master_address, "a1");
}

// sbatch gives its script rank 0 of all tasks though nobody started the others.
TEST(LaunchEnvironment, ABatchScriptIsOneRank) {
  EXPECT_EQ(read(without(kSlurm, "SLURM_STEP_NUM_TASKS")).size, 1);
}

TEST(LaunchEnvironment, ReadsOpenMpi) {
  const LaunchEnvironment place = read(kOpenMpi);
  EXPECT_EQ(place.launcher, "openmpi");
  EXPECT_EQ(place.rank, 1);
  EXPECT_EQ(place.size, 2);
  EXPECT_EQ(place.master_address, "127.0.0.1");
  EXPECT_EQ(place.master_port, 29500);
  EXPECT_THAT(error_in(with(kOpenMpi, {{"OMPI_COMM_WORLD_LOCAL_SIZE", "1"}})),
              HasSubstr("MASTER_ADDR: expected the host of rank 0"));
}

TEST(LaunchEnvironment, TheInnermostLauncherCounts) {
  EXPECT_EQ(read(with(kSlurm, kTorchrun)).launcher, "torchrun");
  EXPECT_EQ(read(with(kSlurm, kOpenMpi)).launcher, "openmpi");
}

TEST(LaunchEnvironment, OneRankNeedsNoMeetingPlace) {
  EXPECT_EQ(read({{"RANK", "0"}, {"WORLD_SIZE", "1"}}).size, 1);
}

TEST(LaunchEnvironment, NamesTheVariableThatIsWrong) {
  for (const std::string name : {"RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT"}) {
    EXPECT_THAT(error_in(without(kTorchrun, name)), HasSubstr(name + ": expected it to be set"));
    EXPECT_THAT(error_in(with(kTorchrun, {{name, ""}})), HasSubstr(name + ": expected it to be"));
  }
  for (const std::string name : {"SLURM_PROCID", "SLURM_JOB_ID"}) {
    EXPECT_THAT(error_in(without(kSlurm, name)), HasSubstr(name));
  }
  EXPECT_THAT(error_in(with(kTorchrun, {{"RANK", "4"}})),
              HasSubstr("RANK: expected less than WORLD_SIZE = 4, found 4"));
  EXPECT_THAT(error_in(with(kTorchrun, {{"LOCAL_RANK", "4"}})), HasSubstr("LOCAL_RANK"));
  EXPECT_THAT(error_in(with(kTorchrun, {{"WORLD_SIZE", "0"}})),
              HasSubstr("WORLD_SIZE: expected at least 1"));
  for (const std::string word : {"two", "-1", "3x", "99999999999999999999"}) {
    EXPECT_THAT(error_in(with(kTorchrun, {{"RANK", word}})),
                HasSubstr("RANK: expected a whole number from 0, found " + word));
  }
  EXPECT_THAT(error_in(with(kTorchrun, {{"MASTER_PORT", "70000"}})),
              HasSubstr("MASTER_PORT: expected between 1 and 65535, found 70000"));
  EXPECT_THAT(error_in(with(kSlurm, {{"SLURM_STEP_NUM_TASKS", "5"}})),
              HasSubstr("SLURM_PROCID: expected less than SLURM_STEP_NUM_TASKS = 5, found 5"));
}

}  // namespace
}  // namespace roundtrip

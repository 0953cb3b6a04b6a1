#pragma once

#include <cstdio>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>
#include <sys/wait.h>

#include "roundtrip/base/atomic_file.h"

namespace roundtrip {

/// What a run of the program left behind.
struct ProgramResult {
  int code = -1;
  std::string out;
  std::string err;
};

/// A folder of the test's own, removed at its end, and the program run in it.
class ProgramTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(testing::TempDir()) /
              (std::string("roundtrip_") + test->test_suite_name() + "_" + test->name());
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  /// Runs `roundtrip ARGUMENTS` in the test's folder; `before` is put in front ("ulimit -f 8;").
  ProgramResult run(const std::string& arguments, const std::string& before = "") const {
    const std::string command = "cd '" + folder_.string() + "' && " + before + " '" +
                                ROUNDTRIP_PROGRAM "' " + arguments + " >stdout.txt 2>stderr.txt";
    const int status = std::system(command.c_str());
    return {.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1,
            .out = read_file(folder_ / "stdout.txt"),
            .err = read_file(folder_ / "stderr.txt")};
  }

  /// Starts rank 1 in the background, then rank 0; returns rank 0's result. Tests that run at the
  /// same time need different ports.
  ProgramResult run_ranks(const std::string& arguments, int port,
                          const std::string& before_other = "") const {
    const std::string shared =
        "export WORLD_SIZE=2 MASTER_ADDR=127.0.0.1 OMP_NUM_THREADS=1 "
        "MASTER_PORT=" +
        std::to_string(port) + ";";
    const std::string other = "(export RANK=1; " + before_other + " '" ROUNDTRIP_PROGRAM "' " +
                              arguments + " >other.out 2>other.err) & export RANK=0;";
    return run(arguments, shared + other);
  }

  std::filesystem::path folder_;
};

/// A user's mistake: exit code 2, one line on standard error that has `part`, nothing on output.
inline void expect_mistake(const ProgramResult& result, const std::string& part) {
  EXPECT_EQ(result.code, 2) << result.err;
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  EXPECT_NE(result.err.find(part), std::string::npos) << result.err << "lacks: " << part;
  EXPECT_EQ(result.out, "");
}

}  // namespace roundtrip

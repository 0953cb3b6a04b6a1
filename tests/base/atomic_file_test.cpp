#include "roundtrip/base/atomic_file.h"

#include <fstream>
#include <iterator>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "roundtrip/base/error.h"
#include "tests/support/file_size_limit.h"

namespace roundtrip {
namespace {

namespace fs = std::filesystem;

class AtomicFileTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) /
              testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  auto files() const {
    return std::distance(fs::directory_iterator(folder_), fs::directory_iterator());
  }
  fs::path folder_;
};

TEST_F(AtomicFileTest, AppearsOnlyOnCommit) {
  const fs::path path = folder_ / "deep" / "a.txt";
  {
    AtomicFile file(path);
    std::ofstream(file.temporary()) << "hello";
    EXPECT_FALSE(fs::exists(path));
    EXPECT_EQ(file.temporary().extension(), ".txt");
    file.commit();
  }
  EXPECT_EQ(read_file(path), "hello");
}

TEST_F(AtomicFileTest, LeavesNothingWithoutCommit) {
  write_file(folder_ / "a", "old");
  {
    AtomicFile file(folder_ / "a");
    std::ofstream(file.temporary()) << "new, never finished";
  }
  EXPECT_EQ(read_file(folder_ / "a"), "old");
  EXPECT_EQ(files(), 1);
}

TEST_F(AtomicFileTest, KnowsItsOwnAndDeadProcessesFiles) {
  const AtomicFile file(folder_ / "a.hdf5");
  EXPECT_TRUE(AtomicFile::is_temporary(file.temporary()));
  EXPECT_FALSE(AtomicFile::is_abandoned(file.temporary()));
  // Process numbers end at 2^22 on Linux, so this one cannot be running.
  EXPECT_TRUE(AtomicFile::is_abandoned(folder_ / AtomicFile::temporary_name(99999999, "a.hdf5")));
  // Another machine's processes cannot be asked after.
  EXPECT_FALSE(AtomicFile::is_abandoned(folder_ / ".tmp-99999999-00000000-a.hdf5"));
  EXPECT_FALSE(AtomicFile::is_temporary(folder_ / "a.hdf5"));
}

TEST_F(AtomicFileTest, RemovesWhatKilledProcessesLeft) {
  write_file(folder_ / "a", "whole");
  const auto left = folder_ / AtomicFile::temporary_name(99999999, "b");
  const auto running = folder_ / AtomicFile::temporary_name(::getppid(), "b");
  for (const auto& path : {left, running}) std::ofstream(path) << "half";
  AtomicFile::remove_abandoned(folder_);
  EXPECT_FALSE(std::filesystem::exists(left));
  EXPECT_TRUE(std::filesystem::exists(running));
  EXPECT_EQ(read_file(folder_ / "a"), "whole");
  AtomicFile::remove_abandoned(folder_ / "not there");
}

TEST_F(AtomicFileTest, RefusesToReplaceWhenAsked) {
  write_file(folder_ / "a", "old");
  EXPECT_THROW(AtomicFile(folder_ / "a", AtomicFile::IfExists::refuse), Error);
}

TEST_F(AtomicFileTest, WhatAppearedMeanwhileIsNotReplaced) {
  {
    AtomicFile file(folder_ / "a", AtomicFile::IfExists::refuse);
    std::ofstream(file.temporary()) << "new";
    write_file(folder_ / "a", "another's");
    EXPECT_THROW(file.commit(), Error);
  }
  EXPECT_EQ(read_file(folder_ / "a"), "another's");
  EXPECT_EQ(files(), 1);
  write_file(folder_ / "b", "new", AtomicFile::IfExists::refuse);
  EXPECT_EQ(read_file(folder_ / "b"), "new");
  EXPECT_THROW(write_file(folder_ / "b", "newer", AtomicFile::IfExists::refuse), Error);
}

TEST_F(AtomicFileTest, ALinkThatLeadsNowhereIsNotReplaced) {
  fs::create_directories(folder_);
  fs::create_symlink("nowhere", folder_ / "a");
  EXPECT_THROW(AtomicFile(folder_ / "a", AtomicFile::IfExists::refuse), Error);
}

// A full disk, by way of a limit on file size: write() then fails as it would with no space left.
TEST_F(AtomicFileTest, FailedWriteKeepsTheOldFile) {
  write_file(folder_ / "a", "old");
  EXPECT_NE(
      message_on_full_disk(4096, [&] { write_file(folder_ / "a", std::string(100000, 'x')); }),
      "no error");
  EXPECT_EQ(read_file(folder_ / "a"), "old");
  EXPECT_EQ(files(), 1);
}

TEST_F(AtomicFileTest, UnreadableFilesAreErrorsThatNameThem) {
  fs::create_directories(folder_);
  for (const fs::path& path : {folder_, folder_ / "missing"}) {
    try {
      read_file(path);
      FAIL() << "read " << path;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr(path.string()));
    }
  }
}

}  // namespace
}  // namespace roundtrip

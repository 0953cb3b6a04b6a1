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
  EXPECT_TRUE(AtomicFile::is_abandoned(folder_ / ".tmp-99999999-a.hdf5"));
  EXPECT_FALSE(AtomicFile::is_temporary(folder_ / "a.hdf5"));
}

TEST_F(AtomicFileTest, RemovesWhatKilledWritersOfTheSameFileLeft) {
  write_file(folder_ / "b", "makes the folder");
  std::ofstream(folder_ / ".tmp-99999999-a") << "half";
  std::ofstream(folder_ / ".tmp-99999999-another") << "half";
  const std::string running = ".tmp-" + std::to_string(::getppid()) + "-a";
  std::ofstream(folder_ / running) << "half";
  write_file(folder_ / "a", "whole");
  EXPECT_FALSE(std::filesystem::exists(folder_ / ".tmp-99999999-a"));
  EXPECT_TRUE(std::filesystem::exists(folder_ / ".tmp-99999999-another"));
  EXPECT_TRUE(std::filesystem::exists(folder_ / running));
}

TEST_F(AtomicFileTest, RefusesToReplaceWhenAsked) {
  write_file(folder_ / "a", "old");
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

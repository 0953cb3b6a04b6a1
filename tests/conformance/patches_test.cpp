// tests/patches shows what adding a thing takes, as patches that apply to this tree: a file pair, a
// test and an entry in a registry (tests/README.md).
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace {

namespace fs = std::filesystem;

const fs::path kPatchedTree = ROUNDTRIP_SOURCE_DIR;

// Whether `git apply --check` takes the patch, whatever repository there is around the tree.
bool applies(const fs::path& patch, const std::string& options = "") {
  const std::string command = fmt::format(
      "cd '{}' && GIT_CEILING_DIRECTORIES='{}' git apply --check {} '{}' >/dev/null 2>&1",
      kPatchedTree.string(), kPatchedTree.parent_path().string(), options, patch.string());
  return std::system(command.c_str()) == 0;
}

struct PatchedFiles {
  std::set<std::string> created, changed;
};

PatchedFiles files_of(const fs::path& patch) {
  PatchedFiles files;
  std::ifstream in(patch);
  bool created = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("--- ")) created = line == "--- /dev/null";
    if (!line.starts_with("+++ b/")) continue;
    (created ? files.created : files.changed).insert(line.substr(6));
  }
  return files;
}

class Patches : public testing::TestWithParam<const char*> {
 protected:
  fs::path patch() const {
    return kPatchedTree / "tests/patches" / fmt::format("add_{}.patch", GetParam());
  }
};

TEST_P(Patches, Applies) {
  if (std::system("git --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "git is not installed";
  EXPECT_TRUE(applies(patch())) << patch() << ": make it again for the tree as it is";
  EXPECT_FALSE(applies(patch(), "-R"));  // what is not there cannot be taken away
}

TEST_P(Patches, IsAFilePairATestAndAnEntry) {
  const PatchedFiles files = files_of(patch());
  // A subcommand has no header of its own: its declaration is a line of command.h.
  const bool subcommand = std::string(GetParam()) == "subcommand";
  EXPECT_EQ(files.created.size(), subcommand ? 2U : 3U);
  EXPECT_EQ(files.changed.size(), subcommand ? 2U : 1U);
  for (const std::string& file : files.created) {
    EXPECT_FALSE(fs::exists(kPatchedTree / file)) << file;
  }
}

INSTANTIATE_TEST_SUITE_P(All, Patches,
                         testing::Values("system", "sampler", "signal", "table", "subcommand"));

}  // namespace

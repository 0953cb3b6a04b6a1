// The library starts other programs (posix_spawn) and never copies its own process: see
// docs/decisions/0010.
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>

#include <gtest/gtest.h>

namespace {

namespace fs = std::filesystem;

bool forks(const std::string& line) {
  static const std::regex call("(^|[^A-Za-z0-9_])v?fork *\\(");
  return std::regex_search(line.substr(0, line.find("//")), call);
}

TEST(NoFork, NoSourceOfTheLibraryCallsIt) {
  int checked = 0;
  for (const auto& entry :
       fs::recursive_directory_iterator(fs::path(ROUNDTRIP_SOURCE_DIR) / "roundtrip")) {
    if (!entry.is_regular_file()) continue;
    std::ifstream in(entry.path());
    for (std::string line; std::getline(in, line); ++checked) {
      EXPECT_FALSE(forks(line)) << entry.path() << ": " << line;
    }
  }
  EXPECT_GT(checked, 10'000);
}

TEST(NoFork, TheCheckItselfSeesCalls) {
  EXPECT_TRUE(forks("  const pid_t child = ::fork();"));
  EXPECT_TRUE(forks("if (vfork() == 0) {"));
  EXPECT_FALSE(forks("// a copy of it, made by fork(), is not"));
  EXPECT_FALSE(forks("pthread_atfork(before, after, after);"));
}

}  // namespace

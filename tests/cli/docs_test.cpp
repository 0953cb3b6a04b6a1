// Every `roundtrip` command in the documents, checked against the program's own help: the
// subcommand exists, and so does every option. (tests/cli/demo_test.cpp and others run them.)
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <sstream>

#include <gmock/gmock.h>

#include "cli/program.h"

namespace roundtrip {
namespace {

const std::filesystem::path kDocuments = ROUNDTRIP_SOURCE_DIR;

/// One command of a document: `roundtrip train CONFIG --out M`.
struct DocumentedCommand {
  std::string subcommand;
  std::set<std::string> options;  // "--out"
};

// None where no subcommand is named ("roundtrip SUBCOMMAND --help").
std::optional<DocumentedCommand> command_in(const std::string& text) {
  static const std::regex kSubcommand("roundtrip ([a-z]+)\\b.*");
  static const std::regex kOption("(--[a-z][a-z-]*)");
  const std::string command = text.substr(0, text.find(" #"));
  std::smatch match;
  if (!std::regex_match(command, match, kSubcommand)) return std::nullopt;
  DocumentedCommand found{.subcommand = match[1], .options = {}};
  for (std::sregex_iterator it(command.begin(), command.end(), kOption), end; it != end; ++it) {
    found.options.insert((*it)[1]);
  }
  return found;
}

// In blocks a command is a line, or several that end in a backslash; in sentences `code`.
std::vector<DocumentedCommand> commands_in(std::istream& page) {
  static const std::regex kSpan("`(roundtrip [^`]+)`");
  std::vector<DocumentedCommand> found;
  const auto add = [&](const std::string& text) {
    if (const auto command = command_in(text)) found.push_back(*command);
  };
  for (std::string line; std::getline(page, line);) {
    for (std::string next; line.ends_with('\\') && std::getline(page, next);) {
      line = line.substr(0, line.size() - 1) + next;
    }
    for (std::sregex_iterator it(line.begin(), line.end(), kSpan), end; it != end; ++it) {
      add((*it)[1]);
    }
    const size_t first = line.find_first_not_of(' ');
    if (first != line.npos) add(line.substr(first));
  }
  return found;
}

std::vector<std::filesystem::path> pages() {
  std::vector<std::filesystem::path> found = {
      kDocuments / "README.md", kDocuments / "CONTRIBUTING.md", kDocuments / "models/README.md"};
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kDocuments / "docs")) {
    if (entry.path().extension() == ".md") found.push_back(entry.path());
  }
  return found;
}

using DocsTest = ProgramTest;

TEST_F(DocsTest, EveryCommandInThemIsOneOfTheProgram) {
  std::map<std::string, std::string> help;  // by subcommand
  int checked = 0;
  for (const auto& page : pages()) {
    std::ifstream in(page);
    for (const auto& [subcommand, options] : commands_in(in)) {
      if (!help.contains(subcommand)) {
        const ProgramResult result = run(subcommand + " --help");
        EXPECT_EQ(result.code, 0) << page << " names roundtrip " << subcommand;
        help[subcommand] = result.out;
      }
      for (const std::string& option : options) {
        EXPECT_TRUE(std::regex_search(help[subcommand], std::regex(option + "(?![a-z-])")))
            << page << ": roundtrip " << subcommand << " has no option " << option;
      }
      ++checked;
    }
  }
  EXPECT_GT(checked, 40);
  EXPECT_GE(help.size(), 12U);
}

TEST_F(DocsTest, CommandsAreReadFromBlocksAndSentences) {
  std::istringstream page(
      "    roundtrip train x.toml --out M   # --not an option\n"
      "    roundtrip cycle --model M \\\n"
      "      --signals C\n"
      "`roundtrip list SYSTEM [--preset paper]` and `roundtrip SUBCOMMAND --help`\n");
  const std::vector<DocumentedCommand> found = commands_in(page);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].subcommand, "train");
  EXPECT_THAT(found[0].options, testing::ElementsAre("--out"));
  EXPECT_THAT(found[1].options, testing::ElementsAre("--model", "--signals"));
  EXPECT_EQ(found[2].subcommand, "list");
  EXPECT_THAT(found[2].options, testing::ElementsAre("--preset"));
}

}  // namespace
}  // namespace roundtrip

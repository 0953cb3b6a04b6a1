// Documents name pages, headings and source files, and sources name documents; this follows all of
// these names, so that whatever moves takes its mentions with it.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace {

namespace fs = std::filesystem;

const fs::path kRepository = ROUNDTRIP_SOURCE_DIR;

// A page of the Well's repository, which some of ours cite by its path there.
constexpr const char* kForeignPage = "docs/data_format.md";

std::vector<std::string> lines_of(const fs::path& path) {
  std::ifstream in(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// Files below `folder` with one of these extensions; not what builds and package managers leave.
std::vector<fs::path> files_below(const fs::path& folder, const std::set<std::string>& extensions) {
  std::vector<fs::path> found;
  for (auto it = fs::recursive_directory_iterator(folder); it != fs::end(it); ++it) {
    const std::string name = it->path().filename().string();
    if (it->is_directory() &&
        (name == "build" || name == "node_modules" || name.starts_with('.'))) {
      it.disable_recursion_pending();
    } else if (it->is_regular_file() && extensions.contains(it->path().extension().string())) {
      found.push_back(it->path());
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

// The lines of a page outside of fenced blocks.
std::vector<std::string> prose_of(const fs::path& page) {
  std::vector<std::string> prose;
  bool fenced = false;
  for (const std::string& line : lines_of(page)) {
    if (line.starts_with("```")) fenced = !fenced;
    if (!fenced) prose.push_back(line);
  }
  return prose;
}

// What the first group of a pattern matches, in all lines.
std::vector<std::string> matches(const std::vector<std::string>& lines, const std::regex& pattern) {
  std::vector<std::string> found;
  for (const std::string& line : lines) {
    for (std::sregex_iterator it(line.begin(), line.end(), pattern), end; it != end; ++it) {
      found.push_back((*it)[1]);
    }
  }
  return found;
}

// The anchor a Markdown viewer gives a heading: lower case, blanks as hyphens, no punctuation.
std::string anchor_of(const std::string& heading) {
  std::string anchor;
  for (const char c : heading) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == ' ' || c == '-') anchor += '-';
    if (std::isalnum(byte) != 0 || c == '_') anchor += static_cast<char>(std::tolower(byte));
  }
  return anchor;
}

std::set<std::string> anchors_of(const fs::path& page) {
  std::set<std::string> anchors;
  for (const std::string& line : prose_of(page)) {
    if (!line.starts_with("#")) continue;
    anchors.insert(anchor_of(line.substr(line.find_first_not_of("# "))));
  }
  return anchors;
}

std::vector<std::string> links_of(const fs::path& page) {
  static const std::regex kLink(R"(\]\(([^)\s]+)\))");
  std::vector<std::string> links = matches(prose_of(page), kLink);
  std::erase_if(links, [](const std::string& link) { return link.find("://") != link.npos; });
  return links;
}

// Why a relative link of a page leads nowhere, or "".
std::string broken(const fs::path& page, const std::string& link) {
  const size_t hash = link.find('#');
  const std::string file = link.substr(0, hash);
  const fs::path target = file.empty() ? page : page.parent_path() / file;
  if (!fs::exists(target)) return "no such file";
  if (hash == link.npos) return "";
  return anchors_of(target).contains(link.substr(hash + 1)) ? "" : "no such heading";
}

TEST(Docs, EveryRelativeLinkLeadsSomewhere) {
  int checked = 0;
  for (const fs::path& page : files_below(kRepository, {".md"})) {
    for (const std::string& link : links_of(page)) {
      EXPECT_EQ(broken(page, link), "") << page << " links to " << link;
      ++checked;
    }
  }
  EXPECT_GT(checked, 100);
}

TEST(Docs, TheCheckItselfSeesBrokenLinks) {
  const fs::path readme = kRepository / "README.md";
  EXPECT_EQ(broken(readme, "docs/nowhere.md"), "no such file");
  EXPECT_EQ(broken(readme, "docs/glossary.md#nowhere"), "no such heading");
  EXPECT_EQ(broken(readme, "docs/glossary.md#frames-and-steps"), "");
  EXPECT_EQ(broken(readme, "#two-commands"), "");
  EXPECT_EQ(anchor_of("Stopping, killing, resuming"), "stopping-killing-resuming");
}

TEST(Docs, TheIndexNamesEveryPage) {
  const fs::path index = kRepository / "docs/README.md";
  std::set<fs::path> named = {fs::canonical(index)};
  for (const std::string& link : links_of(index)) {
    named.insert(fs::weakly_canonical(index.parent_path() / link));
  }
  for (const fs::path& page : files_below(kRepository / "docs", {".md"})) {
    EXPECT_TRUE(named.contains(fs::canonical(page))) << "docs/README.md does not link to " << page;
  }
}

TEST(Docs, EverySourceFileTheyNameExists) {
  static const std::regex kPath(R"(`([a-z_]+(?:/[a-z0-9_-]+)+\.(?:h|cpp|py|mjs|toml|md|txt))`)");
  int checked = 0;
  for (const fs::path& page : files_below(kRepository, {".md"})) {
    for (const std::string& path : matches(prose_of(page), kPath)) {
      if (path == kForeignPage) continue;
      EXPECT_TRUE(fs::exists(kRepository / path) || fs::exists(kRepository / "roundtrip" / path))
          << page << " names " << path;
      ++checked;
    }
  }
  EXPECT_GT(checked, 50);
}

TEST(Docs, EveryPageThatSourcesNameExists) {
  static const std::regex kPage(R"((docs/[A-Za-z0-9_/-]+\.md))");
  int checked = 0;
  for (const char* folder :
       {"roundtrip", "tests", "configs", "bench", "fuzz", "examples", "cmake"}) {
    for (const fs::path& source :
         files_below(kRepository / folder, {".h", ".cpp", ".toml", ".txt", ".cmake", ".py"})) {
      if (source.filename() == "docs_test.cpp") continue;  // names pages that must not exist
      for (const std::string& page : matches(lines_of(source), kPage)) {
        if (page == kForeignPage) continue;
        EXPECT_TRUE(fs::exists(kRepository / page)) << source << " names " << page;
        ++checked;
      }
    }
  }
  EXPECT_GT(checked, 10);
}

TEST(Docs, EveryScriptTheReadmeNamesExists) {
  static const std::regex kScript("(scripts/[a-z-]+)");
  const auto scripts = matches(lines_of(kRepository / "README.md"), kScript);
  EXPECT_GE(scripts.size(), 2U);
  for (const std::string& script : scripts) EXPECT_TRUE(fs::exists(kRepository / script)) << script;
}

TEST(Docs, TheReadmeIsShort) { EXPECT_LE(lines_of(kRepository / "README.md").size(), 120U); }

}  // namespace

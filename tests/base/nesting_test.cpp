#include "roundtrip/base/nesting.h"

#include <string>

#include <gtest/gtest.h>

namespace roundtrip {
namespace {

std::string repeated(const std::string& part, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += part;
  return text;
}

TEST(Nesting, CountsListsAndObjectsOfJson) {
  EXPECT_FALSE(json_nests_too_deep(repeated("[", kMostNesting)));
  EXPECT_TRUE(json_nests_too_deep(repeated("[", kMostNesting + 1)));
  EXPECT_TRUE(json_nests_too_deep(repeated("{\"a\":[", kMostNesting)));
  EXPECT_FALSE(json_nests_too_deep("[" + repeated("[{}],", 1000) + "1]"));
}

TEST(Nesting, BracketsInTextsAreNoNesting) {
  EXPECT_FALSE(json_nests_too_deep("\"" + repeated("[", 1000) + "\""));
  EXPECT_FALSE(json_nests_too_deep(R"("\")" + repeated("[", 1000) + "\""));
  // The text ends at its quote, whatever was escaped in it.
  EXPECT_TRUE(json_nests_too_deep(R"(["\\",)" + repeated("[", 1000)));
}

TEST(Nesting, CountsPartsOfTomlKeys) {
  const std::string key = repeated("a.", kMostTomlNesting - 1) + "b";
  EXPECT_FALSE(toml_nests_too_deep(key + " = 1.5\n[" + key + "]\n" + key + " = 1\n"));
  for (const std::string& deep :
       {"a." + key + " = 1", "[a." + key + "]", "x = { a . " + key + " = 1 }",
        "s = \"\"\"x\"\"\"\"\"\na." + key + " = 1"}) {
    EXPECT_TRUE(toml_nests_too_deep(deep)) << deep;
  }
}

TEST(Nesting, CountsBracketsOfToml) {
  EXPECT_FALSE(toml_nests_too_deep("x = " + repeated("[", kMostTomlNesting)));
  EXPECT_TRUE(toml_nests_too_deep("x = " + repeated("[", kMostTomlNesting + 1)));
  EXPECT_TRUE(toml_nests_too_deep("x = " + repeated("{a = ", kMostTomlNesting + 1)));
}

TEST(Nesting, DotsInTextsAndCommentsAreNoKeys) {
  const std::string dots = repeated(".", 1000);
  for (const std::string& flat : {"# " + dots, "x = \"" + dots + "\"", "x = '" + dots + "'",
                                  "x = \"\\\"" + dots + "\"", "x = \"\"\"\n\"" + dots + "\"\"\"\"",
                                  "x = '''\n'" + dots + "'''", "\"" + dots + "\" = 1"}) {
    EXPECT_FALSE(toml_nests_too_deep(flat)) << flat;
  }
}

}  // namespace
}  // namespace roundtrip

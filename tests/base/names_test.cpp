#include "roundtrip/base/names.h"

#include <gtest/gtest.h>

#include "roundtrip/base/registry.h"

namespace roundtrip {
namespace {

TEST(NearestName, FindsMisspellingsButNotOtherWords) {
  const std::vector<std::string> known = {"steps", "seed", "courant"};
  EXPECT_EQ(nearest_name("stpes", known), "steps");
  EXPECT_EQ(nearest_name("sed", known), "seed");
  EXPECT_EQ(nearest_name("SEED", known), "seed");
  EXPECT_EQ(nearest_name("velocity_scale", known), "");
}

struct Fruit {
  std::string_view name;
  int weight;
};

TEST(Catalog, FindsRowsAndListsKnownNames) {
  const Registry<Fruit> fruits = {{"apple", 3}, {"pear", 4}};
  EXPECT_EQ(find_entry(fruits, "fruit", "pear").weight, 4);
  try {
    find_entry(fruits, "fruit", "peer");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "[fruit] peer: no such fruit (did you mean pear? known: apple, pear)");
  }
}

// A hundred names on one line bury what matters.
TEST(UnknownName, ListsAsManyAsCanBeRead) {
  std::vector<std::string> many;
  for (int i = 0; i < 100; ++i) many.push_back("setting_" + std::to_string(1000 + i));
  EXPECT_EQ(unknown_name("setting", "settin_1050", many),
            "settin_1050: no such setting (did you mean setting_1050?)");
  const std::string text = unknown_name("setting", "x", many);
  EXPECT_NE(text.find("setting_1000"), std::string::npos);
  EXPECT_NE(text.find(", ...)"), std::string::npos);
  EXPECT_EQ(text.find("setting_1099"), std::string::npos);
}

}  // namespace
}  // namespace roundtrip

#include "roundtrip/base/names.h"

#include <gtest/gtest.h>

#include "roundtrip/base/catalog.h"

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
  const Catalog<Fruit> fruits = {{"apple", 3}, {"pear", 4}};
  EXPECT_EQ(find_row(fruits, "fruit", "pear").weight, 4);
  try {
    find_row(fruits, "fruit", "peer");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "[fruit] peer: no such fruit (did you mean pear? known: apple, pear)");
  }
}

}  // namespace
}  // namespace roundtrip

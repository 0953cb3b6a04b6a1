#include "roundtrip/base/recorded_table.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "roundtrip/base/atomic_file.h"

namespace roundtrip {
namespace {

namespace fs = std::filesystem;

TEST(RecordedTable, IsKnownByWhatMadeIt) {
  const fs::path out = fs::path(testing::TempDir()) / "recorded_table.csv";
  remove_recorded_table(out);
  const nlohmann::ordered_json first = {{"seed", 1}}, second = {{"seed", 2}};
  EXPECT_FALSE(have_recorded_table(out, first));
  write_recorded_table(out, "a\n1\n", first);
  EXPECT_TRUE(have_recorded_table(out, first));
  EXPECT_FALSE(have_recorded_table(out, second));
  write_recorded_table(out, "a\n2\n", second);
  EXPECT_TRUE(have_recorded_table(out, second));
  EXPECT_EQ(read_file(out), "a\n2\n");
  // A record without its table, as a kill between the two leaves it, is none.
  fs::remove(out);
  EXPECT_FALSE(have_recorded_table(out, second));
  write_recorded_table(out, "a\n2\n", second);
  remove_recorded_table(out);
  EXPECT_FALSE(fs::exists(out));
  EXPECT_FALSE(fs::exists(out.string() + ".json"));
}

}  // namespace
}  // namespace roundtrip

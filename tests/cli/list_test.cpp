#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "cli/program.h"
#include "roundtrip/systems/systems.h"

namespace roundtrip {
namespace {

using ListTest = ProgramTest;

TEST_F(ListTest, NamesEverySystem) {
  const ProgramResult plain = run("list");
  const auto json = nlohmann::json::parse(run("list --json").out);
  EXPECT_EQ(json["rows"].size(), systems().size() + 2);  // and two presets
  for (const SystemRow& row : systems()) {
    EXPECT_THAT(plain.out, testing::HasSubstr(std::string(row.name)));
  }
}

TEST_F(ListTest, SettingsCanBeReadBack) {
  for (const SystemRow& row : systems()) {
    const ProgramResult result = run("list " + std::string(row.name));
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_THAT(result.out, testing::HasSubstr("frames = "));
  }
}

}  // namespace
}  // namespace roundtrip

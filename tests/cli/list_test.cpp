#include <set>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "cli/program.h"
#include "roundtrip/base/json_text.h"
#include "roundtrip/base/settings.h"
#include "roundtrip/systems/systems.h"

namespace roundtrip {
namespace {

using ListTest = ProgramTest;

TEST_F(ListTest, NamesEverySystemAndChoice) {
  const ProgramResult plain = run("list");
  const auto json = read_json(run("list --json").out);
  std::set<std::string> kinds;
  for (const auto& row : json["rows"]) {
    kinds.insert(row["kind"]);
    EXPECT_THAT(plain.out, testing::HasSubstr(std::string(row["name"])));
  }
  EXPECT_THAT(kinds,
              testing::ElementsAre("bundle", "codec", "context", "denoiser", "features", "input",
                                   "levels", "noise_key", "padding", "pixel sigma", "positions",
                                   "prediction", "preset", "sampler", "scenario", "signal",
                                   "signal group", "spacing", "system", "table", "target",
                                   "weight"));
  EXPECT_THAT(plain.out, testing::HasSubstr("models/mhd-small"));
  for (const SystemEntry& row : systems()) {
    EXPECT_THAT(plain.out, testing::HasSubstr(std::string(row.name)));
  }
  EXPECT_THAT(plain.out, testing::HasSubstr("round_trip"));
}

TEST_F(ListTest, SettingsCanBeReadBack) {
  for (const SystemEntry& row : systems()) {
    const ProgramResult result = run("list " + std::string(row.name));
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_THAT(result.out, testing::HasSubstr("frames = "));
    // What is printed, said again as overrides of the other preset, gives the same settings.
    std::vector<std::string> overrides;
    const auto values = toml_values(result.out);
    for (const auto& [name, value] : values.items()) {
      if (!value.is_object()) overrides.push_back(name + "=" + value.dump());
      if (!value.is_object()) continue;
      for (const auto& [inner, one] : value.items()) {
        overrides.push_back(name + "." + inner + "=" + one.dump());
      }
    }
    ASSERT_FALSE(overrides.empty());
    EXPECT_EQ(row.make("paper", overrides)->settings(), row.make("small", {})->settings());
  }
}

}  // namespace
}  // namespace roundtrip

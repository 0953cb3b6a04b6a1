#include <cmath>

#include <nlohmann/json.hpp>

#include "cli/program.h"
#include "roundtrip/formats/png.h"

namespace roundtrip {
namespace {

using DemoTest = ProgramTest;

TEST_F(DemoTest, SolvesAndDrawsTheVortex) {
  const ProgramResult result = run("demo --resolution 32 --end-time 0.1 --out vortex.png --json");
  ASSERT_EQ(result.code, 0) << result.err;
  const auto rows = nlohmann::json::parse(result.out)["rows"];
  ASSERT_EQ(rows.size(), 6U);
  // Exact for the vortex: density is gamma^2 / (4 pi) on a box of area 1.
  EXPECT_NEAR(rows[5]["mass"], 25.0 / 36 / M_PI, 1e-12);
  EXPECT_LT(rows[5]["max_div_b_dx"], 1e-12);
  EXPECT_GT(read_png(folder_ / "vortex.png").width, 300);
}

TEST_F(DemoTest, KeepsAPictureUnlessForced) {
  write_file(folder_ / "vortex.png", "mine");
  expect_mistake(run("demo --resolution 16 --end-time 0.01 --out vortex.png"), "--force");
  EXPECT_EQ(read_file(folder_ / "vortex.png"), "mine");
  EXPECT_EQ(run("demo --resolution 16 --end-time 0.01 --out vortex.png --force").code, 0);
}

TEST_F(DemoTest, WillNotSolveANonsenseGrid) {
  expect_mistake(run("demo --resolution 0"), "--resolution");
  expect_mistake(run("demo --end-time -1"), "--end-time");
}

}  // namespace
}  // namespace roundtrip

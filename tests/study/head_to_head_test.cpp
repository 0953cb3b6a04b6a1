#include "roundtrip/study/head_to_head.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "study/synthetic.h"
#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

Evidence pixel_evidence() {
  Evidence evidence;
  evidence.system = "navier_stokes";
  std::vector<PixelRow> rows;
  for (int64_t k = 0; k < 4; ++k) {
    rows.push_back(synthetic_pixels("constant", k, 0.2, 0.2));
    rows.push_back(synthetic_pixels("depth", k, 0.2, 0.4));
  }
  evidence.pixels = parse_csv(pixel_rows_to_csv(rows), "pixels.csv");
  return evidence;
}

TEST(HeadToHead, ScoresObjectsBesideThePapers) {
  const auto sections = study_head_to_head(pixel_evidence());
  check_sections(sections);
  const TableSection& table = table_called(sections, "Sigmas of pixels: vorticity");
  // Exact quantiles of the law that is claimed: off by half a pixel's share at most.
  EXPECT_LT(ours_at(table, "C, one sigma a frame", "MA"), 0.0006);
  EXPECT_NEAR(ours_at(table, "C, one sigma a frame", "relative L2"), 0.2, 0.001);
  EXPECT_EQ(cell_at(table, "C, one sigma a frame", "MA").paper, .100);
  // Sigmas twice too wide: 2 sigma of the law are in 1 of them.
  EXPECT_NEAR(ours_at(table, "depth, one sigma a frame", "in 1 sigma"), 0.954, 0.001);
  EXPECT_GT(ours_at(table, "depth, one sigma a frame", "MA"), 0.15);
  EXPECT_EQ(cell_at(table, "ten of them with learned sigma (quoted)", "MA").paper, .014);
  EXPECT_FALSE(cell_at(table, "ten of them with learned sigma (quoted)", "MA").ours);
}

TEST(HeadToHead, QuotesNothingBesideShorterRollouts) {
  Evidence evidence = pixel_evidence();
  PixelRow row = synthetic_pixels("constant", 0, 0.2, 0.2);
  row.depth = 2;
  evidence.pixels = parse_csv(pixel_rows_to_csv({row}), "pixels.csv");
  const auto sections = study_head_to_head(evidence);
  const TableSection& table = table_called(sections, "Sigmas of pixels: vorticity");
  EXPECT_EQ(table.rows.size(), 1U);
  EXPECT_FALSE(cell_at(table, "C, one sigma a frame", "MA").paper);
  EXPECT_THAT(table.text, testing::HasSubstr("2 predicted frames"));
}

TEST(HeadToHead, QuotesNothingBesideAnotherSystem) {
  Evidence evidence = pixel_evidence();
  evidence.system = "mhd";
  const auto sections = study_head_to_head(evidence);
  EXPECT_EQ(table_called(sections, "Sigmas of pixels: vorticity").rows.size(), 2U);
}

TEST(HeadToHead, NeedsPixels) {
  EXPECT_THAT(error_of([] { study_head_to_head({}); }), testing::HasSubstr("pixels.csv"));
}

}  // namespace
}  // namespace roundtrip

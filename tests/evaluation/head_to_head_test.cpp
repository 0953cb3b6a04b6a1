#include "roundtrip/evaluation/head_to_head.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "evaluation/synthetic.h"
#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

Measurements pixel_measurements() {
  Measurements measured;
  measured.system = "navier_stokes";
  std::vector<PixelRow> rows;
  for (int64_t k = 0; k < 4; ++k) {
    rows.push_back(synthetic_pixels("constant", k, 0.2, 0.2));
    rows.push_back(synthetic_pixels("depth", k, 0.2, 0.4));
  }
  measured.pixels = parse_csv(pixel_rows_to_csv(rows), "pixels.csv");
  return measured;
}

TEST(HeadToHead, ScoresObjectsBesideThePapers) {
  const auto sections = beside_paper(evaluate_head_to_head, pixel_measurements());
  check_sections(sections);
  const TableSection& table = table_called(sections, "Sigmas of pixels: vorticity, 10 frames");
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

// The paper states the pixels' z-scores of the composed sigma (its Supp. Sec. E), of no other.
TEST(HeadToHead, ThePapersZScoresAreOfTheComposedSigma) {
  Measurements measured = pixel_measurements();
  measured.pixels = parse_csv(pixel_rows_to_csv({synthetic_pixels("constant", 0, 0.2, 0.2),
                                                 synthetic_pixels("composed", 0, 0.2, 0.2)}),
                              "pixels.csv");
  const auto sections = beside_paper(evaluate_head_to_head, measured);
  const TableSection& table = table_called(sections, "Sigmas of pixels: vorticity, 10 frames");
  EXPECT_EQ(cell_at(table, "C, shaped by the spread", "in 1 sigma").paper, .80);
  EXPECT_EQ(cell_at(table, "C, shaped by the spread", "kurtosis").paper, 10);
  EXPECT_FALSE(cell_at(table, "C, one sigma a frame", "in 1 sigma").paper);
  EXPECT_FALSE(cell_at(table, "C, one sigma a frame", "kurtosis").paper);
}

TEST(HeadToHead, QuotesNothingBesideShorterRollouts) {
  Measurements measured = pixel_measurements();
  PixelRow row = synthetic_pixels("constant", 0, 0.2, 0.2);
  row.depth = 2;
  measured.pixels = parse_csv(pixel_rows_to_csv({row}), "pixels.csv");
  const auto sections = beside_paper(evaluate_head_to_head, measured);
  const TableSection& table = table_called(sections, "Sigmas of pixels: vorticity, 2 frames");
  EXPECT_EQ(table.rows.size(), 1U);
  EXPECT_FALSE(cell_at(table, "C, one sigma a frame", "MA").paper);
  EXPECT_THAT(table.text, testing::HasSubstr("2 predicted frames"));
}

TEST(HeadToHead, QuotesNothingBesideAnotherSystem) {
  Measurements measured = pixel_measurements();
  measured.system = "mhd";
  const auto sections = beside_paper(evaluate_head_to_head, measured);
  EXPECT_EQ(table_called(sections, "Sigmas of pixels: vorticity, 10 frames").rows.size(), 2U);
}

TEST(HeadToHead, NeedsPixels) {
  EXPECT_THAT(error_of([] { evaluate_head_to_head({}); }), testing::HasSubstr("pixels.csv"));
}

}  // namespace
}  // namespace roundtrip

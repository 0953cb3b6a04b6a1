#include "roundtrip/evaluation/samples.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "evaluation/synthetic.h"

namespace roundtrip {
namespace {

Measurements sampled_measurements() {
  Measurements measured;
  measured.system = "navier_stokes";
  // Errors of 16 d^2 with samples 1 apart.
  measured.test = synthetic_table("test", 4, 2, [](int64_t, int64_t d) {
    return SyntheticRow{{"E", 16.0 * static_cast<double>(d * d)}, {"spread_seed", 1}};
  });
  return measured;
}

TEST(Samples, DispersionIsAQuotientOfRoots) {
  const auto sections = beside_paper(evaluate_samples, sampled_measurements());
  check_sections(sections);
  const TableSection& table = table_called(sections, "Error over the spread of samples");
  EXPECT_DOUBLE_EQ(ours_at(table, "1", "ratio"), 4);
  EXPECT_DOUBLE_EQ(ours_at(table, "2", "ratio"), 8);
}

TEST(Samples, TheMeanGainsWhatItIsCloser) {
  Measurements measured = sampled_measurements();
  measured.pixels = parse_csv(
      pixel_rows_to_csv(
          {synthetic_pixels("constant", 0, 0.4, 1), synthetic_pixels("spread", 0, 0.3, 1),
           synthetic_pixels("constant", 1, 0.2, 1), synthetic_pixels("spread", 1, 0.15, 1)}),
      "pixels.csv");
  const auto sections = beside_paper(evaluate_samples, measured);
  check_sections(sections);
  const TableSection& table = table_called(sections, "Mean of the samples: vorticity");
  EXPECT_NEAR(ours_at(table, "one sample", "relative L2"), 0.3, 0.001);
  EXPECT_NEAR(ours_at(table, "mean of all", "gain in percent"), 25, 1e-4);
  EXPECT_EQ(cell_at(table, "mean of all", "gain in percent").paper, .6);
}

}  // namespace
}  // namespace roundtrip

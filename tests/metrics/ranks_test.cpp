#include "roundtrip/metrics/ranks.h"

#include <limits>

#include <gtest/gtest.h>

#include "metrics/sample.h"
#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(Ranks, TiesShareTheirAverage) {
  // tests/reference/statistics.py, "ranks ties"
  EXPECT_EQ(average_ranks(coarse(wave(8, 0.1))),
            (std::vector<double>{4, 7.5, 6, 7.5, 5, 3, 1.5, 1.5}));
  EXPECT_EQ(average_ranks(std::vector<double>{5, 5, 5}), (std::vector<double>{2, 2, 2}));
  EXPECT_EQ(average_ranks({}), std::vector<double>());
}

TEST(Ranks, InfinitiesHaveAPlaceAndNotANumberHasNone) {
  EXPECT_EQ(average_ranks(std::vector<double>{kInfinity, 0, -kInfinity, kInfinity}),
            (std::vector<double>{3.5, 2, 1, 3.5}));
  EXPECT_NE(error_of([] {
              average_ranks(std::vector<double>{1, NAN});
            }).find("NaN"),
            std::string::npos);
}

TEST(Ranks, SumIsThatOfPlaces) {
  for (const int64_t count : {1, 2, 7, 100}) {
    double sum = 0;
    for (const double rank : average_ranks(coarse(wave(count, 0.3)))) sum += rank;
    EXPECT_EQ(sum, static_cast<double>(count * (count + 1)) / 2);
  }
}

}  // namespace
}  // namespace roundtrip

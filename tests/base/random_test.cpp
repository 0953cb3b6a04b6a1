#include "roundtrip/base/random.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace roundtrip {
namespace {

// Known-answer vectors published with Random123 (kat_vectors, philox4x32 10).
TEST(Philox, MatchesPublishedKnownAnswers) {
  using Block = std::array<uint32_t, 4>;
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}),
            (Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox4x32({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}),
            (Block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(RandomStream, DrawDependsOnPositionNotOnOrder) {
  const RandomStream stream(7, "test", 3);
  std::vector<double> forward, backward;
  for (int i = 0; i < 10; ++i) forward.push_back(stream.normal(i));
  for (int i = 9; i >= 0; --i) backward.insert(backward.begin(), stream.normal(i));
  EXPECT_EQ(forward, backward);
  std::vector<double> filled(8);
  stream.fill_normal(filled, 2);
  EXPECT_EQ(filled, std::vector<double>(forward.begin() + 2, forward.end()));
}

TEST(RandomStream, SeedPurposeAndIndexGiveDifferentStreams) {
  const double base = RandomStream(7, "a", 0).uniform(0);
  EXPECT_NE(base, RandomStream(8, "a", 0).uniform(0));
  EXPECT_NE(base, RandomStream(7, "b", 0).uniform(0));
  EXPECT_NE(base, RandomStream(7, "a", 1).uniform(0));
}

// Bounds are 5 standard errors of the sample moments at n = 1e5: passes for a correct generator
// with this fixed seed, fails for a wrong scale or a shift of 1.6 percent.
TEST(RandomStream, MomentsOfUniformAndNormal) {
  const RandomStream stream(1, "moments");
  constexpr int n = 100000;
  double mean_u = 0, mean_z = 0, square_z = 0, fourth_z = 0;
  for (int i = 0; i < n; ++i) {
    const double u = stream.uniform(i);
    ASSERT_GE(u, 0.0);
    ASSERT_LT(u, 1.0);
    const double z = stream.normal(i);
    mean_u += u / n;
    mean_z += z / n;
    square_z += z * z / n;
    fourth_z += z * z * z * z / n;
  }
  const double standard_error = 1 / std::sqrt(n);
  EXPECT_NEAR(mean_u, 0.5, 5 * std::sqrt(1.0 / 12) * standard_error);
  EXPECT_NEAR(mean_z, 0.0, 5 * standard_error);
  EXPECT_NEAR(square_z, 1.0, 5 * std::sqrt(2.0) * standard_error);
  EXPECT_NEAR(fourth_z, 3.0, 5 * std::sqrt(96.0) * standard_error);
}

}  // namespace
}  // namespace roundtrip

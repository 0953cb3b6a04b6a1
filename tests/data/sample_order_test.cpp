#include "roundtrip/data/sample_order.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "roundtrip/base/error.h"

namespace roundtrip {
namespace {

std::vector<int64_t> order(uint64_t seed, uint64_t epoch, int64_t size) {
  const SampleOrder places(seed, epoch, size);
  std::vector<int64_t> list;
  for (int64_t i = 0; i < size; ++i) list.push_back(places.at(i));
  return list;
}

TEST(SampleOrder, IsAPermutationOfEverySize) {
  std::vector<int64_t> sizes(300);
  std::iota(sizes.begin(), sizes.end(), 1);
  for (const int64_t large : {1023, 1024, 1025, 4097, 15200, 49500}) sizes.push_back(large);
  for (const int64_t size : sizes) {
    std::vector<int64_t> list = order(7, 3, size), all(static_cast<size_t>(size));
    std::sort(list.begin(), list.end());
    std::iota(all.begin(), all.end(), 0);
    ASSERT_EQ(list, all) << size;
  }
}

TEST(SampleOrder, DependsOnSeedAndEpochAlone) {
  EXPECT_EQ(order(7, 3, 1000), order(7, 3, 1000));
  EXPECT_NE(order(7, 3, 1000), order(7, 4, 1000));
  EXPECT_NE(order(7, 3, 1000), order(8, 3, 1000));
}

TEST(SampleOrder, ReachesFarSizes) {
  const SampleOrder places(1, 0, int64_t{3} << 40);
  for (int64_t i = 0; i < 1000; ++i) {
    EXPECT_LT(places.at(i), int64_t{3} << 40);
    EXPECT_GE(places.at(i), 0);
  }
}

TEST(SampleOrder, APlaceOutsideIsOurMistake) {
  EXPECT_THROW(SampleOrder(1, 0, 0), Bug);
  EXPECT_THROW(SampleOrder(1, 0, 5).at(5), Bug);
}

// Over epochs each number should stand at each place equally often: a chi-square sum over the 30 x
// 30 table of 3000 epochs has (30 - 1)^2 = 841 degrees of freedom, standard deviation sqrt(2 * 841)
// = 41; five of them are 205.
TEST(SampleOrder, NoPlaceIsPreferred) {
  constexpr int64_t kSize = 30, kEpochs = 3000;
  std::vector<double> counts(kSize * kSize);
  for (int64_t epoch = 0; epoch < kEpochs; ++epoch) {
    const SampleOrder places(11, epoch, kSize);
    for (int64_t i = 0; i < kSize; ++i) counts[i * kSize + places.at(i)] += 1;
  }
  const double expected = static_cast<double>(kEpochs) / kSize;
  double sum = 0;
  for (const double count : counts) sum += (count - expected) * (count - expected) / expected;
  EXPECT_NEAR(sum, 841, 205);
}

// Neighbours stay neighbours no more often than by chance: of 999 pairs about 2 do.
TEST(SampleOrder, NeighboursAreTornApart) {
  const std::vector<int64_t> list = order(5, 0, 1000);
  int64_t together = 0;
  for (size_t i = 1; i < list.size(); ++i) together += std::abs(list[i] - list[i - 1]) == 1;
  EXPECT_LE(together, 10);
}

}  // namespace
}  // namespace roundtrip

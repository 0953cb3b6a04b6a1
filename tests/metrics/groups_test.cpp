#include "roundtrip/metrics/groups.h"

#include <gtest/gtest.h>

namespace roundtrip {
namespace {

TEST(Groups, LabelsAscendAndRowsKeepTheirOrder) {
  const std::vector<int64_t> labels = {7, -1, 7, 3, -1};
  const std::vector<Group> groups = group_by(labels);
  ASSERT_EQ(groups.size(), 3u);
  EXPECT_EQ(groups[0].label, -1);
  EXPECT_EQ(groups[0].rows, (std::vector<size_t>{1, 4}));
  EXPECT_EQ(groups[1].rows, (std::vector<size_t>{3}));
  EXPECT_EQ(groups[2].rows, (std::vector<size_t>{0, 2}));
  EXPECT_TRUE(group_by({}).empty());
}

TEST(Groups, TakeRepeatsWhatIsChosenTwice) {
  EXPECT_EQ(take(std::vector<double>{10, 20, 30}, std::vector<size_t>{2, 0, 2}),
            (std::vector<double>{30, 10, 30}));
}

}  // namespace
}  // namespace roundtrip

#include "roundtrip/data/boundary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

using ::testing::HasSubstr;

WellHeader header_with(const std::vector<std::pair<std::string, std::string>>& ends) {
  WellHeader header;
  for (const auto& [axis, type] : ends) {
    header.boundaries.push_back(
        {.name = axis, .type = type, .axes = {axis}, .fields = {}, .mask = {}});
  }
  return header;
}

TEST(Boundary, IsWhatTheFileSaysOfAnAxis) {
  const WellHeader header = header_with(
      {{"x", "PERIODIC"}, {"y", "WALL"}, {"y", "OPEN"}, {"z", "PERIODIC"}, {"z", "WALL"}});
  EXPECT_EQ(boundary_along(header, "x"), Boundary::periodic);
  EXPECT_EQ(boundary_along(header, "y"), Boundary::wall);
  EXPECT_EQ(boundary_along(header, "z"), Boundary::mixed);
  EXPECT_EQ(boundary_along(header, "w"), Boundary::open);
}

TEST(Boundary, NamesAreReadBack) {
  for (const auto& rows : boundaries()) {
    for (const auto& columns : boundaries()) {
      const FrameBoundaries both = {rows.value, columns.value};
      EXPECT_EQ(boundaries_from(boundary_names(both), "model.toml"), both);
    }
  }
  EXPECT_THAT(error_of([] { boundaries_from("periodic", "model.toml"); }),
              HasSubstr("[model.toml] boundary: expected two words"));
  EXPECT_THAT(error_of([] { boundaries_from("periodic,opne", "model.toml"); }), HasSubstr("opne"));
}

}  // namespace
}  // namespace roundtrip

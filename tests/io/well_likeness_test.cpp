#include "roundtrip/io/well_likeness.h"

#include <gmock/gmock.h>

#include "roundtrip/io/well_create.h"
#include "roundtrip/io/well_reader.h"
#include "tests/io/well_example.h"
#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

using ::testing::HasSubstr;

class WellLikenessTest : public WellTest {};

// All that is read but not written, in one header; the likeness is written and read again.
TEST_F(WellLikenessTest, WhatVariesIsTheFirstsOrLeftOut) {
  WellHeader header = example_header();
  header.time.sample_varying = true;
  header.axes[0].time_varying = true;
  header.boundaries[0].sample_varying = true;
  header.boundaries[0].mask.clear();  // as read
  header.parameters.emplace_back("gamma", 1);
  header.parameters.emplace_back("grid_type", 1);
  const WellLikeness like = writable_likeness(header, "data");
  EXPECT_EQ(like.changes,
            "times are the first trajectory's; coordinates are those of the first frame of the "
            "first trajectory; boundaries that vary are left out; scalars that vary are left out");
  create_well_file(file("a.hdf5"), like.header);
  const WellReader reader(file("a.hdf5"));
  EXPECT_EQ(reader.header().time.coordinates, header.time.coordinates);
  EXPECT_EQ(reader.header().axes[0].coordinates, header.axes[0].coordinates);
  ASSERT_EQ(reader.header().boundaries.size(), 1u);
  EXPECT_EQ(reader.header().boundaries[0].name, "y_open");
  EXPECT_EQ(reader.header().parameters, example_header().parameters);
}

TEST_F(WellLikenessTest, WhatIsTheSameForAllStays) {
  WellHeader header = example_header();
  header.scalars.clear();
  const WellLikeness like = writable_likeness(header, "data");
  EXPECT_EQ(like.changes, "");
  EXPECT_EQ(like.header.boundaries.size(), 2u);
}

TEST_F(WellLikenessTest, NamesThatCannotBeWrittenAreNamed) {
  WellHeader header = example_header();
  header.fields[4].name = "density";
  EXPECT_THAT(error_of([&] { writable_likeness(header, "data"); }),
              HasSubstr("[well] data: expected fields whose names differ and have no '/', found "
                        "'density' twice; rename it in the data"));
  header.fields[4].name = "velocity/wind";
  EXPECT_THAT(error_of([&] { writable_likeness(header, "data"); }),
              HasSubstr("found 'velocity/wind'; rename"));
}

}  // namespace
}  // namespace roundtrip

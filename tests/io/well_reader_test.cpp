#include "roundtrip/io/well_reader.h"

#include <array>
#include <cmath>
#include <limits>

#include <gmock/gmock.h>

#include "roundtrip/base/threads.h"
#include "roundtrip/io/hdf5_write.h"
#include "tests/io/well_example.h"
#include "tests/support/environment.h"
#include "tests/support/well_chunks.h"

namespace roundtrip {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;
using ::testing::ThrowsMessage;

class WellReaderTest : public WellTest {};

std::vector<float> read(const WellReader& reader, int64_t trajectory, int64_t first,
                        int64_t count) {
  std::vector<float> window(static_cast<size_t>(count * reader.header().frame_size()));
  reader.read_window(trajectory, first, count, window);
  return window;
}

TEST_F(WellReaderTest, HeaderComesBackAsWritten) {
  const WellHeader written = example_header();
  write_example(file("a.hdf5"), written);
  const WellReader reader(file("a.hdf5"));
  const WellHeader& header = reader.header();
  EXPECT_EQ(header.dataset_name, "example");
  EXPECT_EQ(header.grid_type, "cartesian");
  EXPECT_EQ(header.n_trajectories, 2);
  EXPECT_EQ(header.parameters, written.parameters);
  EXPECT_EQ(header.time.coordinates, written.time.coordinates);
  EXPECT_EQ(header.notes, written.notes);
  ASSERT_EQ(header.axes.size(), 2u);
  EXPECT_EQ(header.axes[1].name, "y");
  EXPECT_EQ(header.axes[1].coordinates, written.axes[1].coordinates);
  ASSERT_EQ(header.boundaries.size(), 2u);
  EXPECT_EQ(header.boundaries[0].name, "x_periodic");
  EXPECT_EQ(header.boundaries[0].type, "PERIODIC");
  EXPECT_THAT(header.boundaries[0].axes, ElementsAre("x"));
  EXPECT_THAT(header.boundaries[0].mask, ElementsAre(1, 0, 1));
  EXPECT_EQ(header.boundaries[1].type, "OPEN");
  ASSERT_EQ(header.scalars.size(), 1u);
  EXPECT_EQ(header.scalars[0].name, "drive");
  EXPECT_THAT(header.scalars[0].values, ElementsAre(1, 2, 3, 4, 5, 6));
  ASSERT_EQ(header.fields.size(), 6u);
  EXPECT_THAT(header.fields[3].dim_varying, ElementsAre(false, true));
  EXPECT_FALSE(header.fields[1].time_varying);
  EXPECT_FALSE(header.fields[2].sample_varying);
  EXPECT_TRUE(header.fields[5].symmetric);
  EXPECT_FALSE(header.fields[5].antisymmetric);
  EXPECT_THAT(header.channel_names(),
              ElementsAre("density", "ground", "clock", "profile", "velocity_x", "velocity_y",
                          "stress_xx", "stress_xy", "stress_yx", "stress_yy"));
}

TEST_F(WellReaderTest, EveryWindowIsWhatWasWritten) {
  const WellHeader header = example_header();
  write_example(file("a.hdf5"), header);
  const WellReader reader(file("a.hdf5"));
  for (int64_t b = 0; b < 2; ++b) {
    for (int64_t first = 0; first < 3; ++first) {
      for (int64_t count = 1; count <= 3 - first; ++count) {
        EXPECT_EQ(read(reader, b, first, count), example_window(header, b, first, count));
      }
    }
  }
}

TEST_F(WellReaderTest, FieldsAreReadWithoutRepetition) {
  write_example(file("a.hdf5"));
  const WellReader reader(file("a.hdf5"));
  std::vector<float> profile(static_cast<size_t>(2 * reader.stored_frame_size(3)));
  reader.read_field(3, 1, 1, 2, profile);
  EXPECT_THAT(profile, ElementsAre(31100, 31101, 31102, 31103, 31200, 31201, 31202, 31203));
  std::vector<float> velocity(static_cast<size_t>(reader.stored_frame_size(4)));
  reader.read_field(4, 0, 2, 1, velocity);
  EXPECT_EQ(velocity[0], example_value(4, 0, 2, 0, 0, 0));
  EXPECT_EQ(velocity[11], example_value(4, 0, 2, 2, 3, 0));
  EXPECT_EQ(velocity[12], example_value(4, 0, 2, 0, 0, 1));
  std::vector<float> ground(static_cast<size_t>(reader.stored_frame_size(1)));
  reader.read_field(1, 1, 0, 3, ground);
  EXPECT_EQ(ground[5], example_value(1, 1, 0, 1, 1, 0));
}

// Others store fields in chunks, compressed or of another number type: the values are the same,
// whether we read the chunks or HDF5 does.
TEST_F(WellReaderTest, ChunkedCompressedAndBigEndianDoublesReadTheSame) {
  const WellHeader header = example_header();
  const Storage ways[] = {{},
                          {.shuffle = true},
                          {.deflate = true},
                          {.shuffle = true, .deflate = true},
                          {.type = H5T_IEEE_F64BE, .deflate = true}};
  int64_t number = 0;
  for (const Storage& way : ways) {
    const auto path = file(fmt::format("{}.hdf5", number++));
    write_example(path, header);
    store_in_chunks(path,
                    {"t0_fields/density", "t0_fields/ground", "t0_fields/clock",
                     "t0_fields/profile", "t1_fields/velocity"},
                    way);
    const WellReader reader(path);
    EXPECT_EQ(reader.seeks(), !way.shuffle && !way.deflate);
    for (int64_t first = 0; first < 3; ++first) {
      for (int64_t count = 1; count <= 3 - first; ++count) {
        EXPECT_EQ(read(reader, 1, first, count), example_window(header, 1, first, count));
      }
    }
    std::vector<float> velocity(static_cast<size_t>(reader.stored_frame_size(4)));
    reader.read_field(4, 0, 2, 1, velocity);
    EXPECT_EQ(velocity[12], example_value(4, 0, 2, 0, 0, 1));
    parallel_for(16, /*threads=*/4, [&](int64_t i) {
      EXPECT_EQ(read(reader, i % 2, i % 3, 1), example_window(header, i % 2, i % 3, 1));
    });
  }
}

// What a link leads to in another file has addresses there, not here: read here, they are other
// numbers. The other file is never opened.
TEST_F(WellReaderTest, LinksIntoOtherFilesAreRefused) {
  for (const bool chunked : {false, true}) {
    for (const char* name : {"t0_fields/density", "t0_fields", "dimensions/x"}) {
      write_example(file("a.hdf5"));
      write_example(file("b.hdf5"));
      if (chunked) store_in_chunks(file("b.hdf5"), {"t0_fields/density"}, {});
      {
        const hdf5::Lock lock;
        const hdf5::Handle root(H5Fopen(file("a.hdf5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT));
        ASSERT_GE(H5Ldelete(root.get(), name, H5P_DEFAULT), 0);
        ASSERT_GE(H5Lcreate_external("b.hdf5", name, root.get(), name, H5P_DEFAULT, H5P_DEFAULT),
                  0);
      }
      EXPECT_THAT([&] { WellReader(file("a.hdf5")); },
                  ThrowsMessage<Error>(AllOf(HasSubstr(fmt::format("a.hdf5:/{}: ", name)),
                                             HasSubstr("found a link into b.hdf5; copy them in"))));
    }
  }
}

TEST_F(WellReaderTest, ManyThreadsReadSideBySide) {
  const WellHeader header = example_header();
  write_example(file("a.hdf5"), header);
  const WellReader reader(file("a.hdf5"));
  parallel_for(64, /*threads=*/4, [&](int64_t i) {
    EXPECT_EQ(read(reader, i % 2, i % 3, 1), example_window(header, i % 2, i % 3, 1));
  });
}

// Both through HDF5, which has one lock for all of a process.
TEST_F(WellReaderTest, TwoReadersInTwoThreads) {
  const WellHeader header = example_header();
  const std::array files{file("a.hdf5"), file("b.hdf5")};
  for (const auto& path : files) {
    write_example(path, header);
    store_in_chunks(path, {"t0_fields/density", "t1_fields/velocity"}, {.type = H5T_IEEE_F64LE});
  }
  parallel_for(2, /*threads=*/2, [&](int64_t i) {
    const WellReader reader(files[static_cast<size_t>(i)]);
    for (int64_t k = 0; k < 50; ++k) {
      EXPECT_EQ(read(reader, k % 2, k % 3, 1), example_window(header, k % 2, k % 3, 1));
    }
  });
}

// For processes that may start no other, and to look at HDF5 with a debugger.
TEST_F(WellReaderTest, ReadsAndWritesInThisProcessWhenAsked) {
  const EnvironmentValue here("ROUNDTRIP_READER", "in-process");
  const WellHeader header = example_header();
  write_example(file("a.hdf5"), header);
  store_in_chunks(file("a.hdf5"), {"t0_fields/density"}, {.type = H5T_IEEE_F64LE});
  EXPECT_EQ(read(WellReader(file("a.hdf5")), 1, 0, 3), example_window(header, 1, 0, 3));
  EXPECT_THROW(WellReader(file("none.hdf5")), Error);
}

// Vectors larger than the pieces they are taken apart in, on grids of one and three axes.
TEST_F(WellReaderTest, VectorsOnOneAndThreeAxes) {
  for (const size_t rank : {1u, 3u}) {
    WellHeader header;
    header.dataset_name = "vectors";
    header.n_trajectories = 1;
    header.time.coordinates = {0, 1};
    const std::vector<double> coordinates(rank == 1 ? 9001 : 19, 0.0);
    const std::vector<std::string> names{"x", "y", "z"};
    for (size_t d = 0; d < rank; ++d) {
      header.axes.push_back({.name = names[d], .coordinates = coordinates});
    }
    header.fields = {{.name = "u", .order = 1}, {.name = "s", .order = 2}};
    EXPECT_EQ(header.channels(), rank == 1 ? 2 : 12);
    WellWriter writer(file("a.hdf5"), header);
    std::vector<float> frame(static_cast<size_t>(header.frame_size()));
    for (size_t i = 0; i < frame.size(); ++i) frame[i] = static_cast<float>(i);
    for (const int64_t t : {0, 1}) writer.write_frame(0, t, frame);
    writer.finish();
    const WellReader reader(file("a.hdf5"));
    EXPECT_TRUE(read(reader, 0, 1, 1) == frame);
    EXPECT_EQ(reader.header().channel_names()[1], rank == 1 ? "s_xx" : "u_y");
  }
}

TEST_F(WellReaderTest, NotANumberIsAValueLikeAnyOther) {
  WellHeader header = example_header();
  header.fields = {{.name = "density"}};
  header.n_trajectories = 1;
  header.scalars.clear();
  header.time.coordinates = {0};
  std::vector<float> frame(12, 1.0f);
  frame[3] = std::numeric_limits<float>::quiet_NaN();
  frame[4] = -std::numeric_limits<float>::infinity();
  WellWriter writer(file("a.hdf5"), header);
  writer.write_frame(0, 0, frame);
  writer.finish();
  const std::vector<float> back = read(WellReader(file("a.hdf5")), 0, 0, 1);
  EXPECT_TRUE(std::isnan(back[3]));
  EXPECT_EQ(back[4], frame[4]);
  EXPECT_EQ(back[5], 1.0f);
}

TEST_F(WellReaderTest, AskingForWhatIsNotThereIsAnError) {
  write_example(file("a.hdf5"));
  const WellReader reader(file("a.hdf5"));
  std::vector<float> out(static_cast<size_t>(reader.header().frame_size()));
  EXPECT_THAT([&] { reader.read_window(2, 0, 1, out); },
              ThrowsMessage<Error>(AllOf(HasSubstr("a.hdf5"), HasSubstr("from 0 to 1"))));
  EXPECT_THAT([&] { reader.read_window(0, 3, 1, out); },
              ThrowsMessage<Error>(HasSubstr("within 0 to 2")));
  EXPECT_THROW(reader.read_window(0, 1, std::numeric_limits<int64_t>::max(), out), Error);
  EXPECT_THROW(reader.read_window(-1, 0, 1, out), Error);
  EXPECT_THROW(reader.read_window(0, 0, 2, out), Bug);
}

// The file h5py writes with the habits of the Well's own dummy data.
TEST_F(WellReaderTest, ReadsTheWellsDummyQuirks) {
  if (!has_h5py()) GTEST_SKIP() << "no Python with h5py; set PYTHON to one";
  ASSERT_EQ(run_reference("dummy", file("dummy.h5")), "");
  const WellReader reader(file("dummy.h5"));
  const WellHeader& header = reader.header();
  EXPECT_THAT(header.parameters, ElementsAre(Pair("a", 0.25), Pair("b", 0.75)));
  EXPECT_EQ(header.grid_type, "cartesian");
  EXPECT_EQ(header.boundaries.at(0).type, "PERIODIC");
  EXPECT_THAT(header.boundaries.at(0).axes, ElementsAre("x"));
  EXPECT_EQ(header.scalars.size(), 1u);
  EXPECT_THAT(header.channel_names(), ElementsAre("constant", "field_x", "field_y"));
  EXPECT_TRUE(header.time.sample_varying);
  EXPECT_THAT(header.time.coordinates, ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(reader.times(1), ElementsAre(10, 11, 12, 13));
  const std::vector<float> window = read(reader, 1, 2, 2);
  for (size_t t = 0; t < 2; ++t) {
    for (size_t point = 0; point < 30; ++point) {
      const float* frame = window.data() + t * 90;
      EXPECT_EQ(frame[point], static_cast<float>(30 + point));
      const auto first = static_cast<float>(((4 + 2 + t) * 30 + point) * 2);
      EXPECT_EQ(frame[30 + point], first);
      EXPECT_EQ(frame[60 + point], first + 1);
    }
  }
}

}  // namespace
}  // namespace roundtrip

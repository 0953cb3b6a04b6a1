#include "roundtrip/io/well_writer.h"

#include <algorithm>

#include <gmock/gmock.h>

#include "roundtrip/base/error.h"
#include "roundtrip/base/threads.h"
#include "roundtrip/io/hdf5.h"
#include "roundtrip/io/well_reader.h"
#include "tests/io/well_example.h"
#include "tests/support/file_size_limit.h"

namespace roundtrip {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::ThrowsMessage;

class WellWriterTest : public WellTest {
 protected:
  std::vector<std::string> files_left() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder())) {
      names.push_back(entry.path().filename().string());
    }
    return names;
  }
};

TEST_F(WellWriterTest, EveryKindOfFieldComesBackExactly) {
  const WellHeader header = example_header();
  write_example(file("a.hdf5"), header);
  const WellReader reader(file("a.hdf5"));
  for (int64_t b = 0; b < 2; ++b) {
    std::vector<float> window(static_cast<size_t>(3 * header.frame_size()));
    reader.read_window(b, 0, 3, window);
    EXPECT_EQ(window, example_window(header, b, 0, 3));
  }
}

TEST_F(WellWriterTest, TimesCoordinatesAndBoundariesMayVary) {
  WellHeader header = example_header();
  header.time.sample_varying = true;
  header.time.all_coordinates = {0.5, 1.0, 1.5, 10, 20, 40};
  header.axes[0].time_varying = true;  // a grid that moves
  header.axes[0].all_coordinates = {0.25, 0.5, 0.75, 1.25, 1.5, 1.75, 2.25, 2.5, 2.75};
  header.boundaries[1].sample_varying = true;
  header.boundaries[1].mask = {1, 0, 0, 1, 0, 0, 0, 1};
  write_example(file("a.hdf5"), header);
  const WellReader reader(file("a.hdf5"));
  EXPECT_EQ(reader.times(0), (std::vector<double>{0.5, 1.0, 1.5}));
  EXPECT_EQ(reader.times(1), (std::vector<double>{10, 20, 40}));
  const WellHeader& read = reader.header();
  EXPECT_TRUE(read.time.sample_varying);
  EXPECT_TRUE(read.axes[0].time_varying);
  EXPECT_FALSE(read.axes[0].sample_varying);
  EXPECT_EQ(read.axes[0].coordinates, header.axes[0].coordinates);
  ASSERT_EQ(read.boundaries.size(), 2U);
  EXPECT_EQ(std::ranges::count_if(read.boundaries, &WellBoundary::sample_varying), 1);

  header.time.all_coordinates.pop_back();
  EXPECT_THAT([&] { WellWriter(file("b.hdf5"), header); },
              ThrowsMessage<Bug>(HasSubstr("do not fit their flags")));
}

TEST_F(WellWriterTest, BytesDependOnNeitherOrderNorThreadsNorRewriting) {
  const WellHeader header = example_header();
  write_example(file("forward.hdf5"), header);
  const std::string expected = read_file(file("forward.hdf5"));

  WellWriter backward(file("backward.hdf5"), header);
  const std::vector<float> wrong(static_cast<size_t>(header.frame_size()), -1.0f);
  for (int64_t i = 5; i >= 0; --i) {
    backward.write_frame(i / 3, i % 3, wrong);
    backward.write_frame(i / 3, i % 3, example_frame(header, i / 3, i % 3));
  }
  backward.finish();
  EXPECT_TRUE(read_file(file("backward.hdf5")) == expected);

  for (int repeat = 0; repeat < 5; ++repeat) {
    WellWriter together(file("together.hdf5"), header);
    parallel_for(6, /*threads=*/4, [&](int64_t i) {
      together.write_frame(i / 3, i % 3, example_frame(header, i / 3, i % 3));
    });
    together.finish();
    EXPECT_TRUE(read_file(file("together.hdf5")) == expected);
  }
}

TEST_F(WellWriterTest, NothingIsThereBeforeFinish) {
  {
    WellWriter writer(file("a.hdf5"), example_header());
    writer.write_frame(0, 0, example_frame(writer.header(), 0, 0));
    EXPECT_FALSE(std::filesystem::exists(file("a.hdf5")));
    EXPECT_THAT([&] { writer.finish(); },
                ThrowsMessage<Bug>(HasSubstr("frame 1 of trajectory 0 was never written")));
  }
  EXPECT_THAT(files_left(), IsEmpty());
}

TEST_F(WellWriterTest, MistakesOfTheCallerAreBugs) {
  const WellHeader header = example_header();
  WellWriter writer(file("a.hdf5"), header);
  const std::vector<float> frame = example_frame(header, 0, 0);
  EXPECT_THROW(writer.write_frame(2, 0, frame), Bug);
  EXPECT_THROW(writer.write_frame(0, 3, frame), Bug);
  EXPECT_THROW(writer.write_frame(0, 0, std::span(frame).first(3)), Bug);
  WellHeader disordered = header;
  std::swap(disordered.fields.front(), disordered.fields.back());
  EXPECT_THROW(WellWriter(file("b.hdf5"), disordered), Bug);
  WellHeader twins = header;
  twins.fields[1].name = twins.fields[0].name;
  EXPECT_THROW(WellWriter(file("b.hdf5"), twins), Bug);
}

TEST_F(WellWriterTest, RefusesToReplaceWhenAskedTo) {
  write_example(file("a.hdf5"));
  EXPECT_THAT(([&] { WellWriter(file("a.hdf5"), example_header(), AtomicFile::IfExists::refuse); }),
              ThrowsMessage<Error>(HasSubstr("exists already")));
}

// A limit on file sizes fails the same calls as a full disk. Every limit below the file's size must
// give one Error, leave no file behind and HDF5 usable.
TEST_F(WellWriterTest, FullDiskIsOneErrorAndLeavesNothing) {
  write_example(file("good.hdf5"));
  const auto size = std::filesystem::file_size(file("good.hdf5"));
  for (uint64_t limit = 0; limit < size; limit += 512) {
    const std::string message =
        message_on_full_disk(limit, [&] { write_example(file("full.hdf5")); });
    EXPECT_THAT(message, AllOf(HasSubstr("full.hdf5"), HasSubstr("cannot")));
    EXPECT_EQ(message.find('\n'), std::string::npos);
  }
  EXPECT_EQ(files_left(), std::vector<std::string>{"good.hdf5"});
  write_example(file("after.hdf5"));
  EXPECT_TRUE(read_file(file("after.hdf5")) == read_file(file("good.hdf5")));
}

// What h5py, and through it the Well, takes for a bool, a str and a list.
TEST_F(WellWriterTest, AttributesHaveTheTypesH5pyGivesThem) {
  write_example(file("a.hdf5"));
  const hdf5::Lock lock;
  const auto root = hdf5::Object::open_file(file("a.hdf5"));
  const auto type_of = [](const hdf5::Object& object, const char* name) {
    const hdf5::Handle attribute(H5Aopen(object.id(), name, H5P_DEFAULT));
    return hdf5::Handle(H5Aget_type(attribute.get()));
  };
  const auto space_of = [](const hdf5::Object& object, const char* name) {
    const hdf5::Handle attribute(H5Aopen(object.id(), name, H5P_DEFAULT));
    return hdf5::Handle(H5Aget_space(attribute.get()));
  };
  const auto density = root.group("t0_fields").dataset("density");
  const hdf5::Handle boolean = type_of(density, "sample_varying");
  EXPECT_EQ(H5Tget_class(boolean.get()), H5T_ENUM);
  EXPECT_GT(H5Tequal(hdf5::Handle(H5Tget_super(boolean.get())).get(), H5T_STD_I8LE), 0);
  char name[8] = {};
  const int8_t yes = 1, no = 0;
  EXPECT_GE(H5Tenum_nameof(boolean.get(), &yes, name, sizeof name), 0);
  EXPECT_STREQ(name, "TRUE");
  EXPECT_GE(H5Tenum_nameof(boolean.get(), &no, name, sizeof name), 0);
  EXPECT_STREQ(name, "FALSE");
  EXPECT_EQ(H5Sget_simple_extent_type(space_of(density, "sample_varying").get()), H5S_SCALAR);
  EXPECT_EQ(H5Sget_simple_extent_npoints(space_of(density, "dim_varying").get()), 2);

  const hdf5::Handle text = type_of(root, "dataset_name");
  EXPECT_GT(H5Tis_variable_str(text.get()), 0);
  EXPECT_EQ(H5Tget_cset(text.get()), H5T_CSET_UTF8);
  EXPECT_EQ(H5Sget_simple_extent_type(space_of(root, "dataset_name").get()), H5S_SCALAR);
  const hdf5::Handle list = type_of(root, "simulation_parameters");
  EXPECT_GT(H5Tis_variable_str(list.get()), 0);
  EXPECT_EQ(H5Sget_simple_extent_ndims(space_of(root, "simulation_parameters").get()), 1);

  const auto boundary = root.group("boundary_conditions").group("x_periodic");
  EXPECT_GT(H5Tequal(type_of(boundary, "associated_fields").get(), H5T_IEEE_F64LE), 0);
  EXPECT_EQ(H5Sget_simple_extent_ndims(space_of(boundary, "associated_fields").get()), 1);
  EXPECT_EQ(H5Sget_simple_extent_npoints(space_of(boundary, "associated_fields").get()), 0);

  EXPECT_GT(H5Tequal(hdf5::Handle(H5Dget_type(density.id())).get(), H5T_IEEE_F32LE), 0);
  H5O_info_t info;
  ASSERT_GE(H5Oget_info2(density.id(), &info, H5O_INFO_TIME), 0);
  EXPECT_EQ(info.mtime, 0);
}

TEST_F(WellWriterTest, EmptyGroupsExist) {
  WellHeader header = example_header();
  header.fields = {{.name = "vorticity"}};
  header.parameters.clear();
  header.scalars.clear();
  header.boundaries.clear();
  write_example(file("a.hdf5"), header);
  const hdf5::Lock lock;
  const auto root = hdf5::Object::open_file(file("a.hdf5"));
  for (const char* group : {"t0_fields", "t1_fields", "t2_fields", "scalars"}) {
    EXPECT_EQ(root.group(group).texts("field_names").size(), group == std::string("t0_fields"));
  }
  EXPECT_THAT(root.group("boundary_conditions").children(), IsEmpty());
  EXPECT_THAT(root.texts("simulation_parameters"), IsEmpty());
}

TEST_F(WellWriterTest, TheWellsCheckerAndH5pyAgree) {
  if (!has_h5py()) GTEST_SKIP() << "no Python with h5py; set PYTHON to one";
  write_example(file("a.hdf5"));
  EXPECT_EQ(run_reference("rules", file("a.hdf5")), "");
  EXPECT_EQ(run_reference("values", file("a.hdf5")), "");
}

}  // namespace
}  // namespace roundtrip

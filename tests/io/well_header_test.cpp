#include "roundtrip/io/well_header.h"

#include <fstream>
#include <functional>

#include <gmock/gmock.h>

#include "roundtrip/io/hdf5_write.h"
#include "roundtrip/io/well_create.h"
#include "roundtrip/io/well_reader.h"
#include "tests/io/well_example.h"
#include "tests/support/hdf5_text.h"

namespace roundtrip {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::ThrowsMessage;

/// Changes a good example file and expects one line that says what is wrong and where.
class WellHeaderTest : public WellTest {
 protected:
  WellHeaderTest() {
    write_example(file("a.hdf5"));
    good_ = read_file(file("a.hdf5"));
  }

  void restore() const {
    std::filesystem::remove(file("a.hdf5"));
    std::ofstream(file("a.hdf5"), std::ios::binary) << good_;
  }

  void edit(const std::function<void(hid_t)>& change) const {
    const hdf5::Lock lock;
    const hdf5::Handle opened(H5Fopen(file("a.hdf5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT));
    ASSERT_TRUE(opened);
    change(opened.get());
  }

  void expect_error(const std::string& place, const std::string& what) const {
    EXPECT_THAT([&] { WellReader(file("a.hdf5")); },
                ThrowsMessage<Error>(AllOf(HasSubstr(file("a.hdf5").string() + place),
                                           HasSubstr(what), Not(HasSubstr("\n")))));
  }

 private:
  std::string good_;
};

void replace_dataset(hid_t root, const char* name, hid_t type, const std::vector<hsize_t>& shape) {
  H5Ldelete(root, name, H5P_DEFAULT);
  const hdf5::Handle space(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr));
  const hdf5::Handle creation(H5Pcreate(H5P_DATASET_CREATE));
  const std::vector<hsize_t> chunk(shape.size(), 1);
  H5Pset_chunk(creation.get(), static_cast<int>(chunk.size()), chunk.data());
  const hdf5::Handle dataset(
      H5Dcreate2(root, name, type, space.get(), H5P_DEFAULT, creation.get(), H5P_DEFAULT));
  hdf5::write_flag(dataset.get(), "sample_varying", true);
  hdf5::write_flag(dataset.get(), "time_varying", true);
  hdf5::write_flags(dataset.get(), "dim_varying", {true, true});
}

TEST_F(WellHeaderTest, MissingGroupsAreNamed) {
  for (const char* name :
       {"dimensions", "boundary_conditions", "scalars", "t0_fields", "t1_fields", "t2_fields"}) {
    edit([&](hid_t root) { H5Lmove(root, name, root, "elsewhere", H5P_DEFAULT, H5P_DEFAULT); });
    expect_error(fmt::format(":/{}", name), "expected a group, found none");
    edit([&](hid_t root) { H5Lmove(root, "elsewhere", root, name, H5P_DEFAULT, H5P_DEFAULT); });
  }
  EXPECT_NO_THROW(WellReader(file("a.hdf5")));
}

TEST_F(WellHeaderTest, MissingAttributesAreNamed) {
  const std::vector<std::pair<const char*, const char*>> attributes{
      {".", "dataset_name"},
      {".", "grid_type"},
      {".", "n_trajectories"},
      {".", "n_spatial_dims"},
      {".", "simulation_parameters"},
      {".", "gamma"},
      {"dimensions", "spatial_dims"},
      {"dimensions/time", "sample_varying"},
      {"dimensions/x", "sample_varying"},
      {"boundary_conditions/y_open", "bc_type"},
      {"boundary_conditions/y_open", "associated_dims"},
      {"scalars", "field_names"},
      {"scalars/drive", "time_varying"},
      {"t0_fields", "field_names"},
      {"t1_fields/velocity", "dim_varying"},
      {"t1_fields/velocity", "sample_varying"},
      {"t2_fields/stress", "time_varying"}};
  for (const auto& [object, name] : attributes) {
    restore();
    edit([&, object = object, name = name](hid_t root) {
      ASSERT_GE(H5Adelete_by_name(root, object, name, H5P_DEFAULT), 0);
    });
    const std::string place = object == std::string(".") ? "" : fmt::format(":/{}", object);
    expect_error(place, fmt::format("expected attribute {}", name));
  }
}

TEST_F(WellHeaderTest, AttributesOfAnotherTypeAreNamed) {
  edit([](hid_t root) {
    H5Adelete(root, "n_trajectories");
    hdf5::write_text(root, "n_trajectories", "two");
  });
  expect_error("", "n_trajectories: expected one number, found 1 strings");
  edit([](hid_t root) {
    H5Adelete(root, "n_trajectories");
    hdf5::write_number(root, "n_trajectories", 2.5);
  });
  expect_error("", "n_trajectories: expected an integer, found 2.5");
  edit([](hid_t root) {
    H5Adelete(root, "n_trajectories");
    hdf5::write_integer(root, "n_trajectories", 2);
    H5Adelete(root, "dataset_name");
    hdf5::write_integer(root, "dataset_name", 3);
  });
  expect_error("", "dataset_name: expected strings, found integers");
  restore();
  edit([](hid_t root) {
    H5Adelete_by_name(root, "t0_fields/density", "time_varying", H5P_DEFAULT);
    const hdf5::Handle density(H5Dopen2(root, "t0_fields/density", H5P_DEFAULT));
    hdf5::write_text(density.get(), "time_varying", "yes");
  });
  expect_error(":/t0_fields/density", "time_varying: expected true or false, found strings");
  restore();
  edit([](hid_t root) {
    const hdf5::Handle group(H5Gopen2(root, "boundary_conditions/x_periodic", H5P_DEFAULT));
    H5Adelete(group.get(), "bc_type");
    hdf5::write_text(group.get(), "bc_type", "sticky");
  });
  expect_error(":/boundary_conditions/x_periodic", "expected PERIODIC, OPEN or WALL, found STICKY");
}

TEST_F(WellHeaderTest, ShapesThatDoNotFitTheHeaderAreNamed) {
  const hid_t real = H5T_IEEE_F32LE;
  edit([&](hid_t root) { replace_dataset(root, "t0_fields/density", real, {2, 3, 4, 3}); });
  expect_error(":/t0_fields/density",
               "expected shape [2, 3, 3, 4] from the header, found [2, 3, 4");
  edit([&](hid_t root) { replace_dataset(root, "t0_fields/density", real, {2, 3, 3}); });
  expect_error(":/t0_fields/density", "found [2, 3, 3]");
  restore();
  edit([&](hid_t root) { replace_dataset(root, "t1_fields/velocity", real, {2, 3, 3, 4, 3}); });
  expect_error(":/t1_fields/velocity", "expected shape [2, 3, 3, 4, 2]");
  restore();
  edit([&](hid_t root) { replace_dataset(root, "scalars/drive", real, {2, 4}); });
  expect_error(":/scalars/drive", "expected shape [2, 3]");
  restore();
  edit([&](hid_t root) { replace_dataset(root, "dimensions/time", real, {5, 3}); });
  expect_error(":/dimensions/time", "expected shape [2, 3]");
  edit([&](hid_t root) { replace_dataset(root, "dimensions/time", real, {3}); });
  expect_error(":/dimensions/time", "expected 2 axes from its flags, found shape [3]");
  restore();
  edit([](hid_t root) {
    H5Adelete(root, "n_spatial_dims");
    hdf5::write_integer(root, "n_spatial_dims", 3);
  });
  expect_error(":/dimensions", "expected n_spatial_dims = 3 names");
}

TEST_F(WellHeaderTest, FieldsThatHoldNoNumbersAreNamed) {
  edit([](hid_t root) {
    replace_dataset(root, "t0_fields/density", hdf5::text_type(H5T_CSET_UTF8).get(), {2, 3, 3, 4});
  });
  expect_error(":/t0_fields/density", "expected numbers, found strings");
  edit([](hid_t root) {
    H5Ldelete(root, "t0_fields/density", H5P_DEFAULT);
    const hdf5::Handle group(
        H5Gcreate2(root, "t0_fields/density", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  });
  expect_error(":/t0_fields/density", "expected a dataset, found another kind of object");
}

TEST_F(WellHeaderTest, CyclesOfLinksEndInAnError) {
  edit([](hid_t root) {
    H5Ldelete(root, "t0_fields/density", H5P_DEFAULT);
    H5Lcreate_soft("/t0_fields/density", root, "t0_fields/density", H5P_DEFAULT, H5P_DEFAULT);
  });
  expect_error(":/t0_fields/density", "expected a dataset, found none (too many links)");
  restore();
  edit([](hid_t root) {
    H5Lcreate_hard(root, "/", root, "boundary_conditions/loop", H5P_DEFAULT, H5P_DEFAULT);
  });
  expect_error(":/boundary_conditions/loop", "expected attribute bc_type");
  restore();
  edit([](hid_t root) {
    H5Ldelete(root, "dimensions", H5P_DEFAULT);
    H5Lcreate_hard(root, "/", root, "dimensions", H5P_DEFAULT, H5P_DEFAULT);
  });
  expect_error(":/dimensions/time", "expected a dataset, found none");
}

// Sizes are believed only after they fit the rest; nothing of the size is ever allocated.
TEST_F(WellHeaderTest, HugeSizesAreRefusedWithoutMemory) {
  const hid_t real = H5T_IEEE_F32LE;
  constexpr hsize_t huge = hsize_t{1} << 60;
  edit([&](hid_t root) { replace_dataset(root, "t0_fields/density", real, {2, 3, huge, 4}); });
  expect_error(":/t0_fields/density", "found [2, 3, 1152921504606846976, 4]");
  restore();
  edit([&](hid_t root) { replace_dataset(root, "dimensions/x", real, {1, 1, huge}); });
  expect_error(":/dimensions/x", "expected 1 to 4194304 points, found 1152921504606846976");
  restore();
  edit([&](hid_t root) { replace_dataset(root, "scalars/drive", real, {1 << 16, 1 << 16}); });
  expect_error(":/scalars/drive", "expected shape [2, 3]");
  restore();
  edit([](hid_t root) {
    H5Adelete(root, "n_trajectories");
    hdf5::write_integer(root, "n_trajectories", int64_t{1} << 50);
  });
  expect_error("", "trajectories (n_trajectories), found 1125899906842624");
}

// Chunks that were never written take no room, but reading them would.
TEST_F(WellHeaderTest, FieldsWithoutTheirValuesAreRefused) {
  WellHeader header = example_header();
  header.boundaries.clear();
  for (WellAxis& axis : header.axes) axis.coordinates.assign(20000, 0.0);
  header.fields = {{.name = "line", .dim_varying = {false, true}}};
  create_well_file(file("a.hdf5"), header);
  edit([](hid_t root) {
    H5Ldelete(root, "t0_fields/line", H5P_DEFAULT);
    const hsize_t shape[] = {2, 3, 20000, 20000}, chunk[] = {1, 1, 64, 64};
    const hdf5::Handle space(H5Screate_simple(4, shape, nullptr));
    const hdf5::Handle creation(H5Pcreate(H5P_DATASET_CREATE));
    H5Pset_chunk(creation.get(), 4, chunk);
    const hdf5::Handle field(H5Dcreate2(root, "t0_fields/line", H5T_IEEE_F32LE, space.get(),
                                        H5P_DEFAULT, creation.get(), H5P_DEFAULT));
    hdf5::write_flags(field.get(), "dim_varying", {true, true});
    hdf5::write_flag(field.get(), "sample_varying", true);
    hdf5::write_flag(field.get(), "time_varying", true);
  });
  expect_error(":/t0_fields/line",
               "expected its values in the file, found 0 bytes for shape [2, 3, 20000, 20000]");
}

// A dataset nobody wrote to is its fill value, however small or large.
TEST_F(WellHeaderTest, FieldsNeverWrittenAreTheirFillValue) {
  for (const size_t size : {4u, 300u}) {
    WellHeader header = example_header();
    header.boundaries.clear();
    for (WellAxis& axis : header.axes) axis.coordinates.assign(size, 0.0);
    header.fields = {{.name = "empty"}};
    std::filesystem::remove(file("a.hdf5"));
    create_well_file(file("a.hdf5"), header);
    edit([&](hid_t root) {
      H5Ldelete(root, "t0_fields/empty", H5P_DEFAULT);
      const hsize_t shape[] = {2, 3, size, size};
      const hdf5::Handle space(H5Screate_simple(4, shape, nullptr));
      const hdf5::Handle creation(H5Pcreate(H5P_DATASET_CREATE));
      const float fill = 2.5F;
      H5Pset_fill_value(creation.get(), H5T_NATIVE_FLOAT, &fill);
      const hdf5::Handle field(H5Dcreate2(root, "t0_fields/empty", H5T_IEEE_F32LE, space.get(),
                                          H5P_DEFAULT, creation.get(), H5P_DEFAULT));
      hdf5::write_flags(field.get(), "dim_varying", {true, true});
      hdf5::write_flag(field.get(), "sample_varying", true);
      hdf5::write_flag(field.get(), "time_varying", true);
    });
    const WellReader reader(file("a.hdf5"));
    std::vector<float> frame(size * size);
    reader.read_window(1, 2, 1, frame);
    EXPECT_EQ(frame, std::vector<float>(size * size, 2.5F));
  }
}

// Virtual datasets and values in files beside this one would have HDF5 open what the file names.
TEST_F(WellHeaderTest, ValuesInOtherFilesAreRefused) {
  for (const bool is_virtual : {true, false}) {
    for (const char* name : {"t0_fields/density", "scalars/drive"}) {
      restore();
      edit([&](hid_t root) {
        H5Ldelete(root, name, H5P_DEFAULT);
        const hsize_t shape[] = {2, 3, 3, 4};
        const int rank = name == std::string("scalars/drive") ? 2 : 4;
        const hdf5::Handle space(H5Screate_simple(rank, shape, nullptr));
        const hdf5::Handle creation(H5Pcreate(H5P_DATASET_CREATE));
        if (is_virtual) {
          H5Pset_virtual(creation.get(), space.get(), "b.hdf5", "/values", space.get());
        } else {
          H5Pset_external(creation.get(), "b.raw", 0, H5F_UNLIMITED);
        }
        const hdf5::Handle made(H5Dcreate2(root, name, H5T_IEEE_F32LE, space.get(), H5P_DEFAULT,
                                           creation.get(), H5P_DEFAULT));
        ASSERT_TRUE(made);
      });
      expect_error(fmt::format(":/{}", name), is_virtual
                                                  ? "found a virtual dataset; copy"
                                                  : "found values in a file beside it; copy");
    }
  }
}

// The mask's axes are in the order the boundary lists them, as in the Well's checker.
TEST_F(WellHeaderTest, MasksAreTurnedIntoTheOrderOfTheGrid) {
  edit([](hid_t root) {
    const hdf5::Handle group(H5Gopen2(root, "boundary_conditions/y_open", H5P_DEFAULT));
    H5Adelete(group.get(), "associated_dims");
    hdf5::write_texts(group.get(), "associated_dims", {"y", "x"});
    H5Ldelete(group.get(), "mask", H5P_DEFAULT);
    const hsize_t shape[] = {4, 3};
    const uint8_t mask[] = {1, 1, 0, /**/ 0, 0, 0, /**/ 0, 0, 1, /**/ 0, 1, 1};
    const hdf5::Handle space(H5Screate_simple(2, shape, nullptr)), boolean = hdf5::bool_type();
    const hdf5::Handle made(H5Dcreate2(group.get(), "mask", boolean.get(), space.get(), H5P_DEFAULT,
                                       H5P_DEFAULT, H5P_DEFAULT));
    ASSERT_GE(H5Dwrite(made.get(), boolean.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, mask), 0);
  });
  const WellReader reader(file("a.hdf5"));
  const WellBoundary& boundary = reader.header().boundaries.at(1);
  EXPECT_EQ(boundary.axes, (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(boundary.mask, (std::vector<uint8_t>{1, 0, 0, 0, /**/ 1, 0, 0, 1, /**/ 0, 0, 1, 1}));
  edit([](hid_t root) {
    const hdf5::Handle group(H5Gopen2(root, "boundary_conditions/y_open", H5P_DEFAULT));
    H5Adelete(group.get(), "associated_dims");
    hdf5::write_texts(group.get(), "associated_dims", {"y", "z"});
  });
  expect_error(":/boundary_conditions/y_open", "expected axes of the grid, each once, found");
}

TEST_F(WellHeaderTest, ParametersMayBeBooleansOrLists) {
  edit([](hid_t root) {
    H5Adelete(root, "gamma");
    hdf5::write_flag(root, "gamma", true);
    H5Adelete(root, "viscosity");
    const hsize_t two = 2;
    const double values[] = {0.5, 2};
    const hdf5::Handle space(H5Screate_simple(1, &two, nullptr));
    const hdf5::Handle list(
        H5Acreate2(root, "viscosity", H5T_IEEE_F64LE, space.get(), H5P_DEFAULT, H5P_DEFAULT));
    ASSERT_GE(H5Awrite(list.get(), H5T_NATIVE_DOUBLE, values), 0);
  });
  const WellReader reader(file("a.hdf5"));
  const auto& parameters = reader.header().parameters;
  ASSERT_EQ(parameters.size(), 1u);
  EXPECT_EQ(parameters[0], std::pair(std::string("gamma"), 1.0));
  EXPECT_EQ(reader.header().notes.front(),
            std::pair(std::string("viscosity"), std::string("[0.5, 2]")));
}

// A root attribute that is none of ours may be as large as HDF5 allows.
TEST_F(WellHeaderTest, OtherAttributesDoNotMatter) {
  edit([](hid_t root) {
    // More than 64 KB needs the attribute in a heap.
    const hsize_t many = 100'000;
    const hdf5::Handle space(H5Screate_simple(1, &many, nullptr));
    const std::vector<double> values(many, 1.0);
    const hdf5::Handle large(
        H5Acreate2(root, "table", H5T_IEEE_F64LE, space.get(), H5P_DEFAULT, H5P_DEFAULT));
    ASSERT_TRUE(large);
    ASSERT_GE(H5Awrite(large.get(), H5T_NATIVE_DOUBLE, values.data()), 0);
    write_fixed_text(root, "config", std::string(70'000, 'x'));
  });
  const WellReader reader(file("a.hdf5"));
  EXPECT_EQ(reader.header().notes.front().second.size(), 70'000u);
}

// A small file that declares, without values, a frame no machine holds.
TEST_F(WellHeaderTest, FramesLargerThanAnyRealOneAreRefused) {
  WellHeader header = example_header();
  header.boundaries.clear();
  for (WellAxis& axis : header.axes) axis.coordinates.assign(size_t{1} << 16, 0.0);
  header.fields = {{.name = "flat", .dim_varying = {false, false}}};
  create_well_file(file("a.hdf5"), header);
  expect_error("", "expected frames of at most 2147483648 floats");
}

}  // namespace
}  // namespace roundtrip

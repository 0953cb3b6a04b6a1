#include "roundtrip/io/hdf5.h"

#include <cstring>
#include <tuple>

#include <gmock/gmock.h>

#include "roundtrip/base/error.h"
#include "roundtrip/base/threads.h"
#include "roundtrip/io/hdf5_write.h"
#include "tests/io/well_example.h"

namespace roundtrip::hdf5 {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::ThrowsMessage;

/// A file to write attributes to, and the same file for reading.
class Hdf5Test : public WellTest {
 protected:
  Handle create() const {
    const Lock lock;
    return Handle(H5Fcreate(file("a.hdf5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  }
  Object open() const { return Object::open_file(file("a.hdf5")); }
};

TEST_F(Hdf5Test, AttributesComeBack) {
  {
    const Handle root = create();
    write_text(root.get(), "text", "größer");
    write_text(root.get(), "empty", "");
    write_texts(root.get(), "texts", {"a", "", "ccc"});
    write_texts(root.get(), "none", {});
    write_flag(root.get(), "flag", true);
    write_flags(root.get(), "flags", {true, false, true});
    write_number(root.get(), "number", 0.1);
    write_integer(root.get(), "integer", -(int64_t{1} << 50));
  }
  const Object root = open();
  EXPECT_EQ(root.text("text"), "größer");
  EXPECT_EQ(root.text("empty"), "");
  EXPECT_THAT(root.texts("text"), ElementsAre("größer"));
  EXPECT_THAT(root.texts("texts"), ElementsAre("a", "", "ccc"));
  EXPECT_THAT(root.texts("none"), IsEmpty());
  EXPECT_TRUE(root.flag("flag"));
  EXPECT_THAT(root.flags("flags"), ElementsAre(true, false, true));
  EXPECT_EQ(root.number("number"), 0.1);
  EXPECT_EQ(root.integer("integer"), -(int64_t{1} << 50));
  EXPECT_TRUE(root.has_attribute("flag"));
  EXPECT_FALSE(root.has_attribute("flap"));
  EXPECT_THAT(root.text_attributes(), ElementsAre("empty", "text"));
}

// Strings as NumPy's bytes_ (zero-padded) and Fortran (blank-padded) write them; flags as integers.
TEST_F(Hdf5Test, OtherSpellingsAreUnderstood) {
  {
    const Lock lock;
    const Handle root = create();
    for (const auto& [name, padding] :
         {std::pair{"zeros", H5T_STR_NULLPAD}, std::pair{"blanks", H5T_STR_SPACEPAD}}) {
      const Handle type(H5Tcopy(H5T_C_S1)), space(H5Screate(H5S_SCALAR));
      H5Tset_size(type.get(), 6);
      H5Tset_strpad(type.get(), padding);
      const Handle attribute(
          H5Acreate2(root.get(), name, type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT));
      H5Awrite(attribute.get(), type.get(), padding == H5T_STR_NULLPAD ? "abc\0\0\0" : "abc   ");
    }
    const Handle space(H5Screate(H5S_SCALAR)), null(H5Screate(H5S_NULL));
    const Handle big(
        H5Acreate2(root.get(), "big", H5T_STD_I32BE, space.get(), H5P_DEFAULT, H5P_DEFAULT));
    const int one = 256;
    H5Awrite(big.get(), H5T_NATIVE_INT, &one);
    const Handle empty(
        H5Acreate2(root.get(), "null", H5T_IEEE_F64LE, null.get(), H5P_DEFAULT, H5P_DEFAULT));
  }
  const Object root = open();
  EXPECT_EQ(root.text("zeros"), "abc");
  EXPECT_EQ(root.text("blanks"), "abc");
  EXPECT_TRUE(root.flag("big"));
  EXPECT_EQ(root.integer("big"), 256);
  EXPECT_THAT(root.texts("null"), IsEmpty());
}

TEST_F(Hdf5Test, WhatDoesNotFitIsNamed) {
  {
    const Handle root = create();
    write_text(root.get(), "text", "two");
    write_texts(root.get(), "texts", {"a", "b"});
    write_flags(root.get(), "flags", {true, false});
    write_number(root.get(), "number", 0.5);
  }
  const Object root = open();
  const std::string path = file("a.hdf5").string();
  const auto expect = [&](const auto& call, const std::string& what) {
    EXPECT_THAT(call, ThrowsMessage<Error>(AllOf(HasSubstr("[hdf5] " + path), HasSubstr(what))));
  };
  expect([&] { root.text("none"); }, "expected attribute none (a string), found none");
  expect([&] { root.texts("none"); }, "expected attribute none (a list of strings), found none");
  expect([&] { root.text("texts"); }, "attribute texts: expected one string, found 2");
  expect([&] { root.texts("number"); }, "attribute number: expected strings, found numbers");
  expect([&] { root.flag("text"); }, "attribute text: expected true or false, found strings");
  expect([&] { root.flag("flags"); }, "attribute flags: expected true or false, found 2 values");
  expect([&] { root.number("text"); }, "attribute text: expected one number, found 1 strings");
  expect([&] { root.integer("number"); }, "attribute number: expected an integer, found 0.5");
  expect([&] { root.group("g"); }, ":/g: expected a group, found none (object 'g' doesn't exist)");
}

TEST_F(Hdf5Test, BlocksAndAddresses) {
  const std::vector<float> values{0, 1, 2, 3, 4, 5};
  {
    const Lock lock;
    const Handle root = create();
    const hsize_t shape[] = {2, 3}, chunk[] = {1, 1};
    const Handle space(H5Screate_simple(2, shape, nullptr));
    const Handle chunked(H5Pcreate(H5P_DATASET_CREATE));
    H5Pset_chunk(chunked.get(), 2, chunk);
    for (const auto& [name, type, creation] :
         {std::tuple{"plain", H5T_IEEE_F32LE, hid_t{H5P_DEFAULT}},
          std::tuple{"chunked", H5T_IEEE_F32LE, chunked.get()},
          std::tuple{"double", H5T_IEEE_F64LE, hid_t{H5P_DEFAULT}},
          std::tuple{"swapped", H5T_IEEE_F32BE, hid_t{H5P_DEFAULT}}}) {
      const Handle dataset(
          H5Dcreate2(root.get(), name, type, space.get(), H5P_DEFAULT, creation, H5P_DEFAULT));
      H5Dwrite(dataset.get(), H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    }
    const Handle unwritten(H5Dcreate2(root.get(), "unwritten", H5T_IEEE_F32LE, space.get(),
                                      H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  }
  const Object root = open();
  for (const std::string& name : root.children()) {
    const Object dataset = root.dataset(name);
    EXPECT_THAT(dataset.shape(), ElementsAre(2, 3));
    EXPECT_EQ(dataset.plain_address(H5T_IEEE_F32LE) >= 0, name == "plain") << name;
    std::vector<float> block(2);
    dataset.read_block({1, 1}, {1, 2}, H5T_NATIVE_FLOAT, block.data());
    EXPECT_EQ(block, (name == "unwritten" ? std::vector<float>{0, 0} : std::vector<float>{4, 5}));
  }
  const int64_t address = root.dataset("plain").plain_address(H5T_IEEE_F32LE);
  const std::string bytes = read_file(file("a.hdf5"));
  EXPECT_EQ(std::memcmp(bytes.data() + address, values.data(), 24), 0);
  EXPECT_THAT(root.dataset("double").numbers(6), ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_THAT([&] { root.dataset("double").numbers(5); },
              ThrowsMessage<Error>(HasSubstr("expected at most 5 numbers, found shape [2, 3]")));
}

// HDF5's own count of 2^32 x 2^32 values wraps around to 0.
TEST_F(Hdf5Test, CountsThatOverflowAreNotBelieved) {
  {
    const Lock lock;
    const Handle root = create();
    const hsize_t shape[] = {hsize_t{1} << 32, hsize_t{1} << 32}, chunk[] = {1, 1};
    const Handle space(H5Screate_simple(2, shape, nullptr));
    const Handle chunked(H5Pcreate(H5P_DATASET_CREATE));
    H5Pset_chunk(chunked.get(), 2, chunk);
    const Handle dataset(H5Dcreate2(root.get(), "huge", H5T_IEEE_F32LE, space.get(), H5P_DEFAULT,
                                    chunked.get(), H5P_DEFAULT));
    ASSERT_TRUE(dataset);
  }
  EXPECT_THAT([&] { open().dataset("huge").numbers(1000); },
              ThrowsMessage<Error>(HasSubstr("found shape [4294967296, 4294967296]")));
}

TEST_F(Hdf5Test, LocksNestAndExclude) {
  int64_t inside = 0, most = 0;
  parallel_for(64, /*threads=*/4, [&](int64_t) {
    const Lock outer;
    const Lock inner;
    most = std::max(most, ++inside);
    --inside;
  });
  EXPECT_EQ(most, 1);
}

}  // namespace
}  // namespace roundtrip::hdf5

#include "roundtrip/io/safetensors.h"

#include <bit>
#include <cstring>
#include <fstream>
#include <limits>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "roundtrip/base/atomic_file.h"
#include "roundtrip/base/error.h"
#include "roundtrip/base/random.h"

namespace roundtrip {
namespace {

namespace fs = std::filesystem;
using namespace std::string_literals;
using testing::HasSubstr;

template <class T>
std::span<const std::byte> bytes_of(const std::vector<T>& values) {
  return std::as_bytes(std::span(values));
}

// A file made by hand: the length field, the header as given, the data.
std::string file_of(const std::string& header, const std::string& data) {
  uint64_t length = header.size();
  std::string bytes(8, '\0');
  std::memcpy(bytes.data(), &length, 8);
  return bytes + header + data;
}

class Safetensors : public testing::Test {
 protected:
  Safetensors() : folder_(fs::path(testing::TempDir()) / fmt::format("safetensors-{}", getpid())) {
    fs::create_directories(folder_);
  }
  ~Safetensors() override { fs::remove_all(folder_); }

  fs::path path() const { return folder_ / "x.safetensors"; }

  // The message of the Error that opening these bytes gives, "" when they open.
  std::string error_of(const std::string& bytes) const {
    fs::remove(path());  // overwriting in place makes some file systems sync, which is slow
    std::ofstream(path(), std::ios::binary) << bytes;
    try {
      const SafetensorsFile file(path());
      return "";
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
      return error.what();
    }
  }

  fs::path folder_;
};

// The bytes the reference library's own tests expect (safetensors 0.5, tensor.rs).
TEST_F(Safetensors, WritesTheReferenceLibrarysBytes) {
  const std::vector<float> values = {0, 1, 2, 3, 4, 5};
  const std::string data(reinterpret_cast<const char*>(values.data()), 24);
  const TensorView aligned{"attn.0", TensorType::f32, {1, 2, 3}, bytes_of(values)};
  write_safetensors(path(), std::span(&aligned, 1));
  EXPECT_EQ(read_file(path()),
            "\x40\0\0\0\0\0\0\0"s
            R"({"attn.0":{"dtype":"F32","shape":[1,2,3],"data_offsets":[0,24]}})" +
                data);
  const TensorView padded{"attn0", TensorType::f32, {1, 1, 2, 3}, bytes_of(values)};
  write_safetensors(path(), std::span(&padded, 1));
  EXPECT_EQ(read_file(path()),
            "\x48\0\0\0\0\0\0\0"s
            R"({"attn0":{"dtype":"F32","shape":[1,1,2,3],"data_offsets":[0,24]}}       )" +
                data);
  write_safetensors(path(), {});
  EXPECT_EQ(read_file(path()), "\x08\0\0\0\0\0\0\0{}      "s);
  write_safetensors(path(), {}, {{"framework", "pt"}});
  EXPECT_EQ(read_file(path()), "\x28\0\0\0\0\0\0\0{\"__metadata__\":{\"framework\":\"pt\"}}     "s);
}

TEST_F(Safetensors, OrdersByTypeThenNameAndPutsMetadataFirst) {
  const std::vector<uint16_t> two = {0x3c00, 0xc000};  // 1, -2 as F16
  const std::vector<float> four = {1.5F};
  const std::vector<int64_t> eight = {-7};
  const std::vector<uint8_t> one = {1};
  const std::vector<TensorView> tensors = {
      {"a", TensorType::boolean, {1}, bytes_of(one)}, {"z", TensorType::f32, {}, bytes_of(four)},
      {"b", TensorType::f32, {1}, bytes_of(four)},    {"h", TensorType::f16, {2}, bytes_of(two)},
      {"n", TensorType::i64, {1}, bytes_of(eight)},   {"e", TensorType::f64, {0, 3}, {}}};
  write_safetensors(path(), tensors, {{"b", "2"}, {"a", "1"}});
  const std::string header = R"({"__metadata__":{"a":"1","b":"2"},)"
                             R"("n":{"dtype":"I64","shape":[1],"data_offsets":[0,8]},)"
                             R"("e":{"dtype":"F64","shape":[0,3],"data_offsets":[8,8]},)"
                             R"("b":{"dtype":"F32","shape":[1],"data_offsets":[8,12]},)"
                             R"("z":{"dtype":"F32","shape":[],"data_offsets":[12,16]},)"
                             R"("h":{"dtype":"F16","shape":[2],"data_offsets":[16,20]},)"
                             R"("a":{"dtype":"BOOL","shape":[1],"data_offsets":[20,21]}})";
  const std::string padding((8 - header.size() % 8) % 8, ' ');
  EXPECT_EQ(read_file(path()),
            file_of(header + padding,
                    "\xf9\xff\xff\xff\xff\xff\xff\xff\0\0\xc0\x3f\0\0\xc0\x3f\0\x3c\0\xc0\x01"s));
  const SafetensorsFile file(path());
  EXPECT_EQ(file.metadata(), (std::map<std::string, std::string>{{"a", "1"}, {"b", "2"}}));
  std::vector<int64_t> integers(1);
  file.read_bytes(file.find("n"), std::as_writable_bytes(std::span(integers)));
  EXPECT_EQ(integers, eight);
  EXPECT_TRUE(file.contains("z"));
  EXPECT_FALSE(file.contains("__metadata__"));
  EXPECT_EQ(file.find("e").elements(), 0);
}

TEST_F(Safetensors, ReadsEveryFloatTypeAsFloat32) {
  const std::vector<float> f32 = {0.1F, -3e38F, 1e-45F};
  const std::vector<double> f64 = {0.1, -2.5, 1e300};
  const std::vector<uint16_t> f16 = {0x0001, 0x3555, 0xfbff};
  const std::vector<uint16_t> bf16 = {0x3f80, 0xc2f7, 0x0001};
  const std::vector<int64_t> i64 = {1, 2, 3};
  const std::vector<TensorView> tensors = {{"f32", TensorType::f32, {3}, bytes_of(f32)},
                                           {"f64", TensorType::f64, {3}, bytes_of(f64)},
                                           {"f16", TensorType::f16, {3}, bytes_of(f16)},
                                           {"bf16", TensorType::bf16, {3}, bytes_of(bf16)},
                                           {"i64", TensorType::i64, {3}, bytes_of(i64)}};
  write_safetensors(path(), tensors);
  const SafetensorsFile file(path());
  const auto floats = [&](const char* name) {
    std::vector<float> out(3);
    file.read_floats(file.find(name), out);
    return out;
  };
  EXPECT_EQ(floats("f32"), f32);
  EXPECT_EQ(floats("f64"),
            (std::vector<float>{0.1F, -2.5F, std::numeric_limits<float>::infinity()}));
  EXPECT_EQ(floats("f16"), (std::vector<float>{0x1p-24F, 0x1.554p-2F, -65504.0F}));
  EXPECT_EQ(floats("bf16"), (std::vector<float>{1.0F, -123.5F, 0x1p-133F}));
  EXPECT_THROW(floats("i64"), Error);
}

// More elements than one conversion block, so that the block borders are crossed.
TEST_F(Safetensors, ConvertsLongTensors) {
  std::vector<uint16_t> halves(200'001);
  for (size_t i = 0; i < halves.size(); ++i) halves[i] = static_cast<uint16_t>(i % 1024);
  const TensorView tensor{"long", TensorType::f16, {200'001}, bytes_of(halves)};
  write_safetensors(path(), std::span(&tensor, 1));
  const SafetensorsFile file(path());
  std::vector<float> values(halves.size());
  file.read_floats(file.find("long"), values);
  for (size_t i = 0; i < values.size(); ++i) {
    ASSERT_EQ(values[i], static_cast<float>(i % 1024) * 0x1p-24F) << i;
  }
  std::vector<float> block(1000);
  file.read_floats(file.find("long"), 199'001, block);
  EXPECT_TRUE(std::equal(block.begin(), block.end(), values.begin() + 199'001));
  EXPECT_THROW(file.read_floats(file.find("long"), 199'002, block), Bug);
}

TEST_F(Safetensors, ReadsAnyOrderWhiteSpaceAndUnicode) {
  const std::string header = " \t\r\n"s.insert(
      0, R"({"é\n":{"shape": [1],"data_offsets":[4,8],"dtype":"I32"},)"
         R"( "__metadata__":{},"b":{"dtype":"F32","data_offsets":[0,4],"shape":[]}})");
  write_file(path(), file_of(header, "\0\0\x80\x3f\x05\0\0\0"s));
  const SafetensorsFile file(path());
  ASSERT_EQ(file.tensors().size(), 2U);
  EXPECT_EQ(file.tensors()[0].name, "b");
  EXPECT_EQ(file.tensors()[1].name, "é\n");
  float value = 0;
  file.read_floats(file.find("b"), std::span(&value, 1));
  EXPECT_EQ(value, 1.0F);
}

TEST_F(Safetensors, UnknownTensorSuggestsTheNearest) {
  write_file(path(), file_of(R"({"weight":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})", "x"));
  const SafetensorsFile file(path());
  try {
    file.find("wieght");
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("no tensor wieght among 1 (did you mean weight?)"));
  }
}

struct Lie {
  const char* header;
  const char* complaint;
};

// Each against 16 bytes of data.
TEST_F(Safetensors, RefusesEveryLieInOneLine) {
  const std::vector<Lie> lies = {
      {"", "expected a JSON object"},
      {"[]", "expected a JSON object"},
      {" {}", "expected a JSON object"},
      {"{}", "the tensors end at byte 0 of the data, the file at 16"},
      {"{", "not valid JSON at byte"},
      {"{} {}", "not valid JSON at byte"},
      {"{\"\xff\":{}}", "not valid JSON at byte"},
      {R"({"a":1})", "expected an object, found a number"},
      {R"({"a":null})", "expected an object, found null"},
      {R"({"a":[]})", "expected an object, found a list"},
      {R"({"a":{}})", "dtype is missing"},
      {R"({"a":{"dtype":"F32","shape":[4]}})", "data_offsets is missing"},
      {R"({"a":{"dtype":"F32","data_offsets":[0,16]}})", "shape is missing"},
      {R"({"a":{"dtype":"F33"}})", "no such type: \"F33\""},
      {R"({"a":{"dtype":7}})", "dtype: expected a string"},
      {R"({"a":{"dtype":{}}})", "dtype: expected a string"},
      {R"({"a":{"shape":"4"}})", "shape: expected a list of whole numbers"},
      {R"({"a":{"shape":[[4]]}})", "shape: expected a list of whole numbers"},
      {R"({"a":{"shape":[-4]}})", "shape: expected a list of whole numbers, found the number -4"},
      {R"({"a":{"shape":[4.0]}})", "shape: expected a list of whole numbers, found the number 4.0"},
      {R"({"a":{"shape":[true]}})", "shape: expected a list of whole numbers, found true"},
      {R"({"a":{"shape":[9223372036854775808]}})", "is too large"},
      {R"({"a":{"data_offsets":[0]}})", "expected 2 numbers, found 1"},
      {R"({"a":{"data_offsets":[0,8,16]}})", "expected 2 numbers, found more"},
      {R"({"a":{"data_offsets":["0",16]}})", "data_offsets: expected a list of two whole numbers"},
      {R"({"a":{"data_offsets":[0,99999999999999999999]}})", "data_offsets: expected a list"},
      {R"({"a":{"extra":1}})", "expected dtype, shape and data_offsets, found \"extra\""},
      {R"({"a":{"dtype":"F32","dtype":"F32"}})", "key \"dtype\" twice"},
      {R"({"a":{"dtype":"F32","shape":[4],"data_offsets":[16,0]}})", "lie outside the 16 bytes"},
      {R"({"a":{"dtype":"F32","shape":[5],"data_offsets":[0,20]}})", "lie outside the 16 bytes"},
      {R"({"a":{"dtype":"F32","shape":[3],"data_offsets":[0,16]}})", "hold 16 bytes, but F32"},
      {R"({"a":{"dtype":"F32","shape":[4,0],"data_offsets":[0,16]}})", "of shape [4, 0] needs 0"},
      {R"({"a":{"dtype":"F32","shape":[4611686018427387908],"data_offsets":[0,16]}})",
       "needs more than can be counted"},
      {R"({"a":{"dtype":"U8","shape":[4294967296,4294967296,16],"data_offsets":[0,16]}})",
       "needs more than can be counted"},
      {R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})", "end at byte 8 of the data"},
      {R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[8,16]}})", "leave a hole"},
      {R"({"a":{"dtype":"F32","shape":[4],"data_offsets":[0,16]},)"
       R"("b":{"dtype":"F32","shape":[2],"data_offsets":[8,16]}})",
       "overlap"},
      {R"({"a":{"dtype":"F32","shape":[4],"data_offsets":[0,16]},)"
       R"("a":{"dtype":"F32","shape":[4],"data_offsets":[0,16]}})",
       "key \"a\" twice"},
      {R"({"__metadata__":{"k":1}})", "__metadata__ \"k\": expected a string, found a number"},
      {R"({"__metadata__":{"k":{}}})", "__metadata__ \"k\": expected a string, found an object"},
      {R"({"__metadata__":{"k":"1","k":"2"}})", "key \"k\" twice"},
      {R"({"__metadata__":{},"__metadata__":{}})", "key \"__metadata__\" twice"},
      {R"({"__metadata__":"pt"})", "expected an object, found a string"}};
  for (const Lie& lie : lies) {
    EXPECT_THAT(error_of(file_of(lie.header, std::string(16, 'x'))), HasSubstr(lie.complaint))
        << lie.header;
  }
}

// Only white space may pad; a NUL would hide what stands behind it from the JSON reader.
TEST_F(Safetensors, RefusesAnythingButWhiteSpaceBehindTheHeader) {
  const std::string json = R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})";
  EXPECT_EQ(parse_safetensors_header(json + "   ", 1, "f").tensors.size(), 1u);
  for (const std::string& tail : {std::string("\0", 1), std::string("\0garbage", 8),
                                  std::string("\0 }", 3), std::string(" x")}) {
    EXPECT_THROW(parse_safetensors_header(json + tail, 1, "f"), Error) << tail;
  }
}

TEST_F(Safetensors, RefusesLyingLengths) {
  const std::string whole =
      file_of(R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]}})", "xy");
  EXPECT_EQ(error_of(whole), "");
  EXPECT_THAT(error_of(""), HasSubstr("expected at least 8 bytes, found 0"));
  for (const uint64_t length : {uint64_t{100'000'001}, uint64_t{1} << 63, ~uint64_t{0}}) {
    std::string bytes = whole;
    std::memcpy(bytes.data(), &length, 8);
    EXPECT_THAT(error_of(bytes), HasSubstr("the format allows 100000000"));
  }
  std::string bytes = whole;
  const uint64_t length = whole.size() - 7;
  std::memcpy(bytes.data(), &length, 8);
  EXPECT_THAT(error_of(bytes), HasSubstr(fmt::format("header of {} bytes in a file", length)));
  EXPECT_THAT(error_of(whole + "polyglot"), HasSubstr("end at byte 2 of the data"));
  // Nesting as deep as the header is long must cost neither stack nor much memory.
  EXPECT_THAT(error_of(file_of("{\"a\":" + std::string(1'000'000, '['), "")), HasSubstr("a list"));
  EXPECT_THAT(error_of(file_of("{\"" + std::string(1'000'000, 'n') + "\":1}", "")),
              HasSubstr("nnn\"...: expected an object"));
}

TEST_F(Safetensors, RefusesWhatIsNotAFile) {
  EXPECT_THROW(SafetensorsFile{folder_}, Error);
  EXPECT_THROW(SafetensorsFile(folder_ / "absent"), Error);
}

TEST_F(Safetensors, EveryTruncationIsAnError) {
  const std::string whole =
      file_of(R"({"__metadata__":{"k":"v"},"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})",
              std::string(8, 'x'));
  ASSERT_EQ(error_of(whole), "");
  for (size_t size = 0; size < whole.size(); ++size) {
    ASSERT_NE(error_of(whole.substr(0, size)), "") << size;
  }
}

// A changed byte opens or is an Error; a file that opens reads all its tensors.
TEST_F(Safetensors, RandomChangesNeverCrash) {
  const std::string whole =
      file_of(R"({"__metadata__":{"k":"v"},"a":{"dtype":"F16","shape":[2,2],"data_offsets":[0,8]},)"
              R"("b":{"dtype":"F64","shape":[1],"data_offsets":[8,16]}})",
              std::string(16, 'x'));
  const RandomStream random(1, "safetensors.flips");
  int opened = 0;
  for (uint64_t trial = 0; trial < 3000; ++trial) {
    std::string bytes = whole;
    const uint64_t changes = 1 + random.bits(100 * trial) % 3;
    for (uint64_t c = 0; c < changes; ++c) {
      const uint64_t at = random.bits(100 * trial + 1 + 2 * c) % bytes.size();
      bytes[at] = static_cast<char>(random.bits(100 * trial + 2 + 2 * c));
    }
    if (!error_of(bytes).empty()) continue;
    ++opened;
    const SafetensorsFile file(path());
    for (const TensorInfo& tensor : file.tensors()) {
      std::vector<std::byte> raw(tensor.byte_count());
      file.read_bytes(tensor, raw);
    }
  }
  EXPECT_GT(opened, 0);
}

TEST_F(Safetensors, AFileThatShrinksIsAnError) {
  const std::vector<float> values(1000, 1.0F);
  const TensorView tensor{"a", TensorType::f32, {1000}, bytes_of(values)};
  write_safetensors(path(), std::span(&tensor, 1));
  const SafetensorsFile file(path());
  fs::resize_file(path(), 200);
  std::vector<float> out(1000);
  EXPECT_THROW(file.read_floats(file.find("a"), out), Error);
}

TEST_F(Safetensors, WritingWhatDoesNotFitIsABug) {
  const std::vector<float> values = {1, 2};
  const TensorView wrong_size{"a", TensorType::f32, {3}, bytes_of(values)};
  EXPECT_THROW(write_safetensors(path(), std::span(&wrong_size, 1)), Bug);
  const TensorView reserved{"__metadata__", TensorType::f32, {2}, bytes_of(values)};
  EXPECT_THROW(write_safetensors(path(), std::span(&reserved, 1)), Bug);
  const TensorView good{"a", TensorType::f32, {2}, bytes_of(values)};
  const std::vector<TensorView> twice = {good, good};
  EXPECT_THROW(write_safetensors(path(), twice), Bug);
  EXPECT_FALSE(fs::exists(path()));
}

}  // namespace
}  // namespace roundtrip

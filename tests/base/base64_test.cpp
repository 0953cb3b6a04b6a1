#include "roundtrip/base/base64.h"

#include <gtest/gtest.h>

#include "roundtrip/base/error.h"

namespace roundtrip {
namespace {

std::vector<uint8_t> bytes(std::string_view text) { return {text.begin(), text.end()}; }

// RFC 4648, section 10.
TEST(Base64, TestVectors) {
  const std::pair<const char*, const char*> rows[] = {{"", ""},
                                                      {"f", "Zg=="},
                                                      {"fo", "Zm8="},
                                                      {"foo", "Zm9v"},
                                                      {"foob", "Zm9vYg=="},
                                                      {"fooba", "Zm9vYmE="},
                                                      {"foobar", "Zm9vYmFy"}};
  for (const auto& [plain, encoded] : rows) {
    EXPECT_EQ(to_base64(bytes(plain)), encoded);
    EXPECT_EQ(from_base64(encoded), bytes(plain));
  }
}

TEST(Base64, AllBytesComeBack) {
  std::vector<uint8_t> all;
  for (int i = 0; i < 256; ++i) {
    all.push_back(static_cast<uint8_t>(i * 37));
    EXPECT_EQ(from_base64(to_base64(all)), all);
  }
}

TEST(Base64, DamageIsAnError) {
  for (const char* text :
       {"A", "AB", "ABC", "ABCDE", "A-B_", "AB=C", "====", "AB C", "\xff\xff\xff\xff"}) {
    EXPECT_THROW(from_base64(text), Error) << text;
  }
}

}  // namespace
}  // namespace roundtrip

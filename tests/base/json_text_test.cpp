#include "roundtrip/base/json_text.h"

#include <gmock/gmock.h>

#include "roundtrip/base/error.h"

namespace roundtrip {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;
using Json = nlohmann::ordered_json;

TEST(JsonText, KeepsTheOrderOfMembers) {
  const std::string text = R"({"b":1,"a":[2.5,null,"x"]})";
  EXPECT_EQ(json_text(read_json(text)), text);
  EXPECT_EQ(json_text(Json{{"b", 1}, {"a", 2}}, 1), "{\n \"b\": 1,\n \"a\": 2\n}");
}

TEST(JsonText, WhatIsNoJsonIsDiscarded) {
  for (const char* text : {"", "{", "{\"a\":}", "nan", "[1,2] 3"}) {
    EXPECT_TRUE(read_json(text).is_discarded()) << text;
  }
}

TEST(JsonText, WhatNestsTooDeepIsDiscarded) {
  const std::string deep = std::string(300000, '[') + std::string(300000, ']');
  EXPECT_TRUE(read_json(deep).is_discarded());
}

TEST(JsonText, BytesThatAreNoUtf8AreShownButNotWritten) {
  const Json value = {{"name", "a\xfe"}};
  EXPECT_THAT([&] { json_text(value); }, ThrowsMessage<Error>(HasSubstr("expected names")));
  EXPECT_EQ(shown_json(value), "{\"name\":\"a\xef\xbf\xbd\"}");
}

}  // namespace
}  // namespace roundtrip

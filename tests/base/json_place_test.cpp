#include "roundtrip/base/json_place.h"

#include <functional>

#include <gmock/gmock.h>

#include "roundtrip/base/error.h"

namespace roundtrip {
namespace {

std::string message_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(JsonPlace, ReadsWhatIsThere) {
  const auto document =
      parse_json(R"({"a": [1, 2.5], "b": {"c": "x"}, "n": -3, "t": ["p", "q"]})", "f.json");
  const JsonPlace place(document, "f.json");
  EXPECT_EQ(place.at("a").numbers(), (std::vector<double>{1, 2.5}));
  EXPECT_EQ(place.at("b").at("c").text(), "x");
  EXPECT_EQ(place.at("n").integer(), -3);
  EXPECT_EQ(place.at("n").number(), -3);
  EXPECT_EQ(place.at("t").texts(), (std::vector<std::string>{"p", "q"}));
  EXPECT_FALSE(place.find("z").has_value());
  ASSERT_EQ(place.at("b").members().size(), 1u);
  EXPECT_EQ(place.at("b").members()[0].first, "c");
  EXPECT_EQ(place.at("a").items()[1].where(), "f.json: a[1]");
}

TEST(JsonPlace, MistakesNameTheirPlace) {
  const auto document = parse_json(R"({"a": [1, "x", 1.5], "b": {"c": null}})", "f.json");
  const JsonPlace place(document, "f.json");
  EXPECT_EQ(message_of([&] { place.at("a").numbers(); }),
            "[json] f.json: a[1]: expected a number, found a text");
  EXPECT_EQ(message_of([&] { place.at("a").items()[2].integer(); }),
            "[json] f.json: a[2]: expected a whole number, found the number 1.5");
  const auto large = parse_json("[18446744073709551615]", "f.json");
  EXPECT_EQ(message_of([&] { JsonPlace(large, "f.json").integers(); }),
            "[json] f.json: [0]: expected a whole number below 2^63, found the number "
            "18446744073709551615");
  EXPECT_EQ(message_of([&] { place.at("b").at("c").text(); }),
            "[json] f.json: b.c: expected a text, found null");
  EXPECT_EQ(message_of([&] { place.at("b").at("d"); }), "[json] f.json: b: d is missing");
  EXPECT_EQ(message_of([&] { place.at("a").at("d"); }),
            "[json] f.json: a: expected an object, found a list");
  EXPECT_EQ(message_of([&] { place.expect_only({"a"}); }),
            "[json] f.json: b: no such member (did you mean a? known: a)");
}

TEST(JsonPlace, TextThatIsNotJson) {
  const std::string message = message_of([] { parse_json("{\"a\": [1,\n2", "f.json"); });
  EXPECT_THAT(message, testing::StartsWith("[json] f.json: not JSON: parse error at line 2"));
  EXPECT_THAT(message, testing::Not(testing::HasSubstr("\n")));
  EXPECT_EQ(message_of([] { parse_json("1e999", "f.json"); }),
            "[json] f.json: not JSON: number overflow parsing '1e999'");
  EXPECT_THAT(message_of([] { parse_json(std::string(300000, '['), "f.json"); }),
              testing::StartsWith("[json] f.json: expected lists and objects at most 100 deep"));
}

}  // namespace
}  // namespace roundtrip

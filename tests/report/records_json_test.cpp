#include "roundtrip/report/records_json.h"

#include <gmock/gmock.h>

#include "report/small_report.h"
#include "roundtrip/base/error.h"
#include "roundtrip/base/json_text.h"

namespace roundtrip {
namespace {

using nlohmann::ordered_json;

// The one line a text is refused with.
std::string refusal(const std::string& text) {
  try {
    parse_report(text, "records.json");
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    return error.what();
  }
  return "accepted";
}

TEST(RecordsJson, ComeBackExactly) {
  const Report report = small_report();
  const std::string text = to_json_text(report);
  EXPECT_EQ(parse_report(text, "f"), report);
  EXPECT_EQ(to_json_text(parse_report(text, "f")), text);
  const Report bare{.title = "ä \"quoted\" \\ \x01 \xe2\x80\xa8"};
  EXPECT_EQ(parse_report(to_json_text(bare), "f"), bare);
}

TEST(RecordsJson, BadRecordsAreNotWritten) { EXPECT_THROW(to_json_text(Report{}), Error); }

TEST(RecordsJson, DamageIsOneLine) {
  const std::string good = to_json_text(small_report());
  EXPECT_THAT(refusal(""), testing::HasSubstr("records.json: not JSON"));
  EXPECT_THAT(refusal(good.substr(0, good.size() / 2)), testing::HasSubstr("not JSON"));
  EXPECT_THAT(refusal("[1, 2]"), testing::HasSubstr("expected records of a report"));
  EXPECT_THAT(refusal("{}"), testing::HasSubstr("expected records of a report"));
  EXPECT_THAT(refusal(std::string(100000, '[')), testing::HasSubstr("at most 100 deep"));

  const auto changed = [&](auto change) {
    ordered_json document = read_json(good);
    change(document);
    return refusal(json_text(document));
  };
  EXPECT_EQ(changed([](ordered_json&) {}), "accepted");
  EXPECT_THAT(changed([](ordered_json& d) { d["format_version"] = 2; }),
              testing::HasSubstr("expected format version 1, found 2"));
  EXPECT_THAT(changed([](ordered_json& d) { d.erase("title"); }),
              testing::HasSubstr("records.json: title is missing"));
  EXPECT_THAT(changed([](ordered_json& d) { d["titel"] = "x"; }),
              testing::HasSubstr("titel: no such member (did you mean title?"));
  EXPECT_THAT(changed([](ordered_json& d) { d["sections"][1]["kind"] = "calibratoin"; }),
              testing::HasSubstr("sections[1]: calibratoin: no such kind of section (did you mean "
                                 "calibration?"));
  EXPECT_THAT(
      changed([](ordered_json& d) { d["sections"][0]["trajectories"][0]["c"][1] = "x"; }),
      testing::HasSubstr("sections[0].trajectories[0].c[1]: expected a number, found a text"));
  EXPECT_THAT(
      changed([](ordered_json& d) { d["sections"][0]["trajectories"][0]["depth"][0] = 1.5; }),
      testing::HasSubstr("depth[0]: expected a whole number, found the number 1.5"));
  EXPECT_THAT(changed([](ordered_json& d) { d["sections"][0]["trajectories"][0]["c"].erase(0); }),
              testing::HasSubstr("trajectories[0].c: expected 2 values, found 1"));
  EXPECT_THAT(changed([](ordered_json& d) { d["sections"][4]["rows"][0][1]["interval"] = {1}; }),
              testing::HasSubstr("interval: expected two numbers"));
  EXPECT_THAT(changed([](ordered_json& d) {
                d["sections"][5]["trajectories"][0]["fields"][0]["map"] = "jet";
              }),
              testing::HasSubstr("map: expected sequential or diverging, found jet"));
  EXPECT_THAT(changed([](ordered_json& d) {
                d["sections"][5]["trajectories"][0]["fields"][0]["seed"]["bytes"] = "AA!=";
              }),
              testing::HasSubstr("seed.bytes: [base64] letter 3 of 4 is none of base64"));
  EXPECT_THAT(changed([](ordered_json& d) { d["provenance"] = 3; }),
              testing::HasSubstr("provenance: expected an object"));
}

TEST(RecordsJson, MissingFileIsAnError) {
  EXPECT_THROW(read_report("/nonexistent/records.json"), Error);
}

}  // namespace
}  // namespace roundtrip

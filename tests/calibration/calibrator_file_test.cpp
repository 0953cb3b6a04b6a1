#include "roundtrip/calibration/calibrator_file.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "calibration/simulated.h"
#include "roundtrip/base/json_text.h"
#include "roundtrip/calibration/calibrate.h"
#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

const CalibratorSet& example() {
  static const CalibratorSet set = calibrate(simulated_curves(24, 6), {}).set("weights-1");
  return set;
}

std::string example_text() { return calibrators_to_json(example(), {{"version", "0"}}); }

TEST(CalibratorFile, ComesBackExactly) {
  const CalibratorSet back = calibrators_from_json(example_text(), "c.json");
  EXPECT_EQ(back.fingerprint, "weights-1");
  ASSERT_EQ(back.calibrators.size(), example().calibrators.size());
  const CurveTable curves = simulated_curves(3, 6, 99);
  for (size_t i = 0; i < back.calibrators.size(); ++i) {
    const Calibrator& a = example().calibrators[i];
    const Calibrator& b = back.calibrators[i];
    EXPECT_EQ(a.key, b.key);
    for (const Curve& curve : curves.curves) {
      for (size_t at = 0; at < curve.size(); ++at) {
        EXPECT_EQ(a.predict(curve, at).mean, b.predict(curve, at).mean) << a.key.text();
        EXPECT_EQ(a.predict(curve, at).sigma, b.predict(curve, at).sigma);
      }
    }
    ASSERT_EQ(a.conformal.groups.size(), b.conformal.groups.size());
    for (size_t g = 0; g < a.conformal.groups.size(); ++g) {
      EXPECT_EQ(a.conformal.groups[g].two_sided, b.conformal.groups[g].two_sided);
      EXPECT_EQ(a.conformal.groups[g].upper, b.conformal.groups[g].upper);
    }
    EXPECT_EQ(a.fit.nll, b.fit.nll);
  }
  EXPECT_EQ(back.alarm("C").thresholds, example().alarm("C").thresholds);
  // 12 trajectories set aside: enough for 90 percent, not for 95.
  EXPECT_TRUE(std::isfinite(back.alarm("C").thresholds[0]));
  EXPECT_TRUE(std::isinf(back.alarm("C").thresholds[1]));
  EXPECT_EQ(calibrators_to_json(back, {{"version", "0"}}), example_text());
}

TEST(CalibratorFile, NamesWhatItDoesNotHave) {
  EXPECT_NE(error_of([] {
              example().find({"E", "C", "alne"});
            }).find("E from C (alone)"),
            std::string::npos);
  EXPECT_NE(error_of([] { example().alarm("c"); }).find("known: C"), std::string::npos);
}

std::string damage(const std::function<void(nlohmann::ordered_json&)>& change) {
  auto json = read_json(example_text());
  change(json);
  return error_of([&] { calibrators_from_json(json_text(json), "c.json"); });
}

TEST(CalibratorFile, SaysWhatIsDamaged) {
  const auto model = [](nlohmann::ordered_json& json) -> nlohmann::ordered_json& {
    return json["calibrators"][1]["model"];  // depth, alone
  };
  EXPECT_NE(damage([](auto& j) { j["version"] = 3; }).find("expected version 2, found 3"),
            std::string::npos);
  EXPECT_NE(damage([](auto& j) { j["format"] = "x"; }).find("roundtrip-calibrators"),
            std::string::npos);
  EXPECT_NE(damage([](auto& j) { j.erase("alarms"); }).find("alarms"), std::string::npos);
  EXPECT_NE(damage([&](auto& j) {
              model(j)["mean"]["coefficients"].push_back(1.0);
            }).find("coefficients, found"),
            std::string::npos);
  EXPECT_NE(damage([&](auto& j) {
              model(j)["mean"]["coefficients"][0] = nullptr;
            }).find("c.json: damaged"),
            std::string::npos);
  EXPECT_NE(damage([&](auto& j) { model(j)["degrees"]["mean"] = 3000000; }).find("degree 3000000"),
            std::string::npos);
  EXPECT_NE(damage([&](auto& j) { model(j)["inputs"][0]["scale"] = 0; }).find("scale above 0"),
            std::string::npos);
  EXPECT_NE(damage([&](auto& j) {
              model(j)["inputs"][0]["name"] = "log C";
            }).find("not one of these features"),
            std::string::npos);
  EXPECT_NE(damage([&](auto& j) { model(j)["kind"] = "isotonic"; }).find("isotonic"),
            std::string::npos);
  EXPECT_NE(damage([](auto& j) {
              j["calibrators"].push_back(j["calibrators"][0]);
            }).find("is there twice"),
            std::string::npos);
}

// Version 1 had the mean over regenerated seed frames as C, and Eq. 3 as C_over_n.
TEST(CalibratorFile, TheOldCReadsTheColumnThatIsTheOldC) {
  auto json = read_json(example_text());
  json["version"] = 1;
  auto gone = json["calibrators"][0];
  gone["signal"] = "C_over_n";
  gone["features"] = "alone";
  for (const auto& entry : json["calibrators"]) {
    if (entry["signal"] == "C" && entry["features"] == "alone") gone["model"] = entry["model"];
  }
  gone["model"]["inputs"][0]["name"] = "log C_over_n";
  json["calibrators"].push_back(gone);
  json["alarms"].push_back(json["alarms"][0]);
  json["alarms"].back()["signal"] = "C_back";
  const CalibratorSet old = calibrators_from_json(json_text(json), "c.json");
  EXPECT_EQ(old.find_if_there({"E", "C_over_n", "alone"}), nullptr);
  EXPECT_NE(error_of([&] { old.alarm("C_back"); }).find("no such alarm"), std::string::npos);

  // A curve whose two columns differ: today's calibrators read C, the old ones C_regenerated.
  Curve curve, renamed;
  for (int64_t d = 1; d <= 3; ++d) {
    const double c = 0.05 * static_cast<double>(d);
    curve.add(d, {{"C", c / 2}, {"C_regenerated", c}, {"spread_seed", 0.1}, {"local_4", 0.2}});
    renamed.add(d, {{"C", c}, {"spread_seed", 0.1}, {"local_4", 0.2}});
  }
  int64_t of_c = 0;
  for (const Calibrator& calibrator : old.calibrators) {
    if (calibrator.key.signal != "C") continue;
    ++of_c;
    EXPECT_EQ(calibrator.predict(curve, 1).mean,
              example().find(calibrator.key).predict(renamed, 1).mean)
        << calibrator.key.text();
  }
  EXPECT_GT(of_c, 5);
  EXPECT_EQ(old.alarm("C").statistic(curve), example().alarm("C").statistic(renamed));
  EXPECT_NE(version_note(old).find("fitted to the mean over regenerated seed frames"),
            std::string::npos);
  EXPECT_EQ(version_note(example()), "");
  EXPECT_THROW(calibrators_to_json(old, {}), Bug);
}

TEST(CalibratorFile, NoTruncationPasses) {
  const std::string text = example_text();
  for (size_t length = 0; length + 2 < text.size(); length += 997) {
    const std::string message =
        error_of([&] { calibrators_from_json(text.substr(0, length), "c.json"); });
    EXPECT_EQ(message.rfind("[calibrators] c.json: damaged", 0), 0u) << length << message;
  }
}

}  // namespace
}  // namespace roundtrip

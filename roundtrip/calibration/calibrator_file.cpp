#include "roundtrip/calibration/calibrator_file.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "roundtrip/base/atomic_file.h"
#include "roundtrip/base/error.h"
#include "roundtrip/base/json_text.h"

namespace roundtrip {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kFormat = "roundtrip-calibrators";
constexpr int64_t kVersion = 2;
constexpr int64_t kOldC = 1;  // the version whose C is the mean over regenerated seed frames
constexpr int64_t kHighestDegree = 20;  // of a file not written by us

void require(bool holds, const std::string& what) {
  if (!holds) throw Error("calibrators", what);
}

// JSON has no infinity: null stands for it.
std::vector<double> quantiles(const Json& json, size_t count) {
  std::vector<double> out;
  for (const Json& value : json) {
    out.push_back(value.is_null() ? std::numeric_limits<double>::infinity() : value.get<double>());
  }
  require(out.size() == count, "expected one quantile per level");
  return out;
}

std::vector<double> numbers(const Json& json, size_t count, const char* what) {
  const auto out = json.get<std::vector<double>>();
  require(out.size() == count, fmt::format("expected {} {}, found {}", count, what, out.size()));
  return out;
}

std::vector<int64_t> depths(const Json& json) {
  const auto out = json.get<std::vector<int64_t>>();
  require(!out.empty() && out.front() >= 1, "expected depths from 1");
  require(std::adjacent_find(out.begin(), out.end(), std::greater_equal<>()) == out.end(),
          "expected increasing depths");
  return out;
}

std::vector<double> levels(const Json& json) {
  const auto out = json.get<std::vector<double>>();
  for (const double level : out) require(level > 0 && level < 1, "expected levels between 0 and 1");
  return out;
}

// --- models -------------------------------------------------------------------------------------

Json to_json(const PolynomialGaussian& model, const Features& features) {
  Json inputs = Json::array();
  for (size_t k = 0; k < model.inputs.size(); ++k) {
    const InputRange& range = model.inputs[k];
    inputs.push_back({{"name", features.inputs[k].name()},
                      {"centre", range.centre},
                      {"scale", range.scale},
                      {"low", range.low},
                      {"high", range.high}});
  }
  return {{"kind", "polynomial"},
          {"inputs", inputs},
          {"degrees", {{"mean", model.degrees.mean}, {"log_sigma", model.degrees.log_sigma}}},
          {"mean",
           {{"terms", mean_terms(model.form, model.degrees.mean)}, {"coefficients", model.mean}}},
          {"log_sigma",
           {{"terms", log_sigma_terms(model.form, model.degrees.log_sigma)},
            {"coefficients", model.log_sigma}}}};
}

std::vector<double> coefficients(const Json& json) {
  return numbers(json.at("coefficients"), json.at("terms").size(), "coefficients");
}

// The form of these features, or the simpler one, whose terms are the file's.
ModelForm form_with_terms(const Features& features, Degrees degrees, const Json& json) {
  const auto terms = [&](const char* name) {
    return json.at(name).at("terms").get<std::vector<std::string>>();
  };
  const auto mean = terms("mean"), log_sigma = terms("log_sigma");
  for (const FormChoice& known : forms_of(features)) {
    if (mean_terms(known.form, degrees.mean) == mean &&
        log_sigma_terms(known.form, degrees.log_sigma) == log_sigma) {
      return known.form;
    }
  }
  throw Error("calibrators",
              fmt::format("expected the terms of these features and degrees, found {} and {}",
                          shown_json(json.at("mean").at("terms")),
                          shown_json(json.at("log_sigma").at("terms"))));
}

PolynomialGaussian polynomial_from(const Json& json, const Features& features) {
  PolynomialGaussian model;
  for (const Json& input : json.at("inputs")) {
    const size_t k = model.inputs.size();
    const auto name = input.at("name").get<std::string>();
    require(k < features.inputs.size() && features.inputs[k].name() == name,
            fmt::format("input \"{}\" is not one of these features", name));
    const InputRange range = {.centre = input.at("centre").get<double>(),
                              .scale = input.at("scale").get<double>(),
                              .low = input.at("low").get<double>(),
                              .high = input.at("high").get<double>()};
    require(range.scale > 0 && range.low <= range.high, "expected scale above 0, low below high");
    model.inputs.push_back(range);
  }
  require(model.inputs.size() == features.inputs.size(), "an input of these features is missing");
  model.degrees = {json.at("degrees").at("mean").get<int64_t>(),
                   json.at("degrees").at("log_sigma").get<int64_t>()};
  for (const int64_t degree : {model.degrees.mean, model.degrees.log_sigma}) {
    require(degree >= 0 && degree <= kHighestDegree, fmt::format("degree {}", degree));
  }
  model.form = form_with_terms(features, model.degrees, json);
  model.mean = coefficients(json.at("mean"));
  model.log_sigma = coefficients(json.at("log_sigma"));
  return model;
}

Json to_json(const Isotonic& model) {
  return {{"kind", "isotonic"}, {"x", model.x}, {"mean", model.mean}, {"sigma", model.sigma}};
}

Isotonic isotonic_from(const Json& json) {
  Isotonic model;
  model.x = json.at("x").get<std::vector<double>>();
  model.mean = numbers(json.at("mean"), model.x.size(), "means");
  model.sigma = json.at("sigma").get<double>();
  require(!model.x.empty() && model.sigma > 0, "expected knots and a sigma above 0");
  require(
      std::adjacent_find(model.x.begin(), model.x.end(), std::greater_equal<>()) == model.x.end() &&
          std::is_sorted(model.mean.begin(), model.mean.end()),
      "expected increasing knots with non-decreasing means");
  return model;
}

// --- conformal and alarm ------------------------------------------------------------------------

Json to_json(const ConformalGroup& group) {
  return {{"depths", group.depths},
          {"trajectories", group.trajectories},
          {"two_sided", group.two_sided},
          {"upper", group.upper}};
}

Json to_json(const ConformalTable& table) {
  Json groups = Json::array();
  for (const ConformalGroup& group : table.groups) groups.push_back(to_json(group));
  return {{"levels", table.levels},
          {"groups", groups},
          {"all_depths", table.all ? to_json(*table.all) : Json()}};
}

ConformalGroup group_from(const Json& json, size_t level_count) {
  return {.depths = depths(json.at("depths")),
          .trajectories = json.at("trajectories").get<int64_t>(),
          .two_sided = quantiles(json.at("two_sided"), level_count),
          .upper = quantiles(json.at("upper"), level_count)};
}

ConformalTable conformal_from(const Json& json) {
  ConformalTable table{.levels = levels(json.at("levels")), .groups = {}, .all = {}};
  // Version 1 has every depth by itself, and all of them as the last group.
  const bool old = !json.contains("all_depths");
  for (const Json& entry : json.at("groups")) {
    ConformalGroup group = group_from(entry, table.levels.size());
    if (old && (group.depths.size() > 1 || json.at("groups").size() == 1)) table.all = group;
    if (!old || group.depths.size() == 1) table.groups.push_back(std::move(group));
  }
  if (!old && !json.at("all_depths").is_null()) {
    table.all = group_from(json.at("all_depths"), table.levels.size());
  }
  const std::vector<int64_t> known = table.depths();
  require(std::adjacent_find(known.begin(), known.end(), std::greater_equal<>()) == known.end(),
          "expected groups of increasing depths, each in one of them");
  return table;
}

Json to_json(const Alarm& alarm) {
  return {{"signal", alarm.signal},
          {"depths", alarm.depths},
          {"mean", alarm.mean},
          {"sigma", alarm.sigma},
          {"levels", alarm.levels},
          {"thresholds", alarm.thresholds},
          {"trajectories", alarm.trajectories}};
}

Alarm alarm_from(const Json& json) {
  Alarm alarm;
  alarm.signal = json.at("signal").get<std::string>();
  alarm.depths = depths(json.at("depths"));
  alarm.mean = numbers(json.at("mean"), alarm.depths.size(), "means");
  alarm.sigma = numbers(json.at("sigma"), alarm.depths.size(), "sigmas");
  for (const double sigma : alarm.sigma) require(sigma > 0, "expected sigmas above 0");
  alarm.levels = levels(json.at("levels"));
  alarm.thresholds = quantiles(json.at("thresholds"), alarm.levels.size());
  alarm.trajectories = json.at("trajectories").get<int64_t>();
  return alarm;
}

// --- entries ------------------------------------------------------------------------------------

std::optional<double> optional_number(const Json& json) {
  return json.is_null() ? std::nullopt : std::optional(json.get<double>());
}

Json to_json(const FitRecord& fit) {
  return {{"trajectories", fit.trajectories},
          {"rows", fit.rows},
          {"dropped", fit.dropped},
          {"nll", fit.nll ? Json(*fit.nll) : Json()},
          {"standard_error", fit.standard_error ? Json(*fit.standard_error) : Json()},
          {"notes", fit.notes}};
}

Json to_json(const Calibrator& calibrator) {
  const auto* isotonic = std::get_if<Isotonic>(&calibrator.model);
  return {{"target", calibrator.key.target},
          {"signal", calibrator.key.signal},
          {"features", calibrator.key.features},
          {"causal", calibrator.causal()},
          {"model", isotonic != nullptr ? to_json(*isotonic)
                                        : to_json(std::get<PolynomialGaussian>(calibrator.model),
                                                  calibrator.features)},
          {"fit", to_json(calibrator.fit)},
          {"conformal", to_json(calibrator.conformal)}};
}

Calibrator calibrator_from(const Json& json) {
  Calibrator calibrator;
  calibrator.key = {json.at("target").get<std::string>(), json.at("signal").get<std::string>(),
                    json.at("features").get<std::string>()};
  calibrator.features = make_features(calibrator.key.signal, calibrator.key.features);
  const Json& model = json.at("model");
  const auto kind = model.at("kind").get<std::string>();
  const bool isotonic = calibrator.features.recipe == Recipe::isotonic;
  require(kind == (isotonic ? "isotonic" : "polynomial"),
          fmt::format("model \"{}\" is not that of these features", kind));
  if (isotonic) {
    calibrator.model = isotonic_from(model);
  } else {
    calibrator.model = polynomial_from(model, calibrator.features);
  }
  const Json& fit = json.at("fit");
  calibrator.fit = {.trajectories = fit.at("trajectories").get<int64_t>(),
                    .rows = fit.at("rows").get<int64_t>(),
                    .dropped = fit.at("dropped").get<int64_t>(),
                    .nll = optional_number(fit.at("nll")),
                    .standard_error = optional_number(fit.at("standard_error")),
                    .notes = fit.at("notes").get<std::vector<std::string>>()};
  calibrator.conformal = conformal_from(json.at("conformal"));
  return calibrator;
}

// Signals of version 1 that no column of today is.
bool is_gone(const std::string& signal) {
  return signal == "C_over_n" || signal == "C_back" || signal == "C_averaged";
}

void read_regenerated(CalibratorSet& set) {
  std::erase_if(set.calibrators, [](const Calibrator& c) { return is_gone(c.key.signal); });
  std::erase_if(set.alarms, [](const Alarm& alarm) { return is_gone(alarm.signal); });
  for (Calibrator& calibrator : set.calibrators) {
    for (Input& input : calibrator.features.inputs) {
      if (input.signal == "C") input.signal = "C_regenerated";
    }
  }
  for (Alarm& alarm : set.alarms) {
    if (alarm.signal == "C") alarm.column = "C_regenerated";
  }
  set.c_is_regenerated = true;
}

CalibratorSet set_from(const Json& json) {
  require(json.is_object() && json.value("format", "") == kFormat,
          fmt::format("expected \"format\": \"{}\"", kFormat));
  const auto version = json.at("version").get<int64_t>();
  require(version == kVersion || version == kOldC,
          fmt::format("expected version {}, found {}; calibrate again", kVersion, version));
  CalibratorSet set;
  set.fingerprint = json.at("fingerprint").get<std::string>();
  std::set<CalibratorKey> seen;
  for (const Json& entry : json.at("calibrators")) {
    set.calibrators.push_back(calibrator_from(entry));
    const CalibratorKey& key = set.calibrators.back().key;
    require(seen.insert(key).second, fmt::format("{} is there twice", key.text()));
  }
  for (const Json& entry : json.at("alarms")) set.alarms.push_back(alarm_from(entry));
  if (version == kOldC) read_regenerated(set);
  return set;
}

}  // namespace

std::string calibrators_to_json(const CalibratorSet& set, const Json& context) {
  ensure(!set.c_is_regenerated, "calibrators of version 1 are read, not written");
  Json calibrators = Json::array(), alarms = Json::array();
  for (const Calibrator& calibrator : set.calibrators) calibrators.push_back(to_json(calibrator));
  for (const Alarm& alarm : set.alarms) alarms.push_back(to_json(alarm));
  const Json object = {{"format", kFormat},      {"version", kVersion},
                       {"context", context},     {"fingerprint", set.fingerprint},
                       {"logarithm", "natural"}, {"calibrators", calibrators},
                       {"alarms", alarms}};
  return shown_json(object, 1) + "\n";
}

CalibratorSet calibrators_from_json(std::string_view text, const std::string& where) {
  try {
    const Json document = read_json(text);
    require(!document.is_discarded(), "not JSON, or cut short");
    return set_from(document);
  } catch (const nlohmann::json::exception& error) {
    throw Error("calibrators", fmt::format("{}: damaged: {}", where, error.what()));
  } catch (const Error& error) {
    throw Error("calibrators", fmt::format("{}: damaged: {}", where, error.what()));
  }
}

std::string version_note(const CalibratorSet& set) {
  if (!set.c_is_regenerated) return "";
  return "These calibrators are of version 1, fitted to the mean over regenerated seed frames: "
         "they read C_regenerated where they say C. `cycle` and `calibrate` make new ones.";
}

CalibratorSet read_calibrators(const std::filesystem::path& path) {
  return calibrators_from_json(read_file(path), path.string());
}

}  // namespace roundtrip

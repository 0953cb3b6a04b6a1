#include "roundtrip/measurement/training_source.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "roundtrip/base/error.h"
#include "roundtrip/base/json_text.h"
#include "roundtrip/base/settings.h"
#include "roundtrip/models/bundle.h"
#include "roundtrip/systems/systems.h"

namespace roundtrip {
namespace {

[[noreturn]] void no_source(const std::string& model) {
  throw Error("model", fmt::format("{}: expected a bundle trained on data of `roundtrip generate`, "
                                   "found none that says how its data was made; `roundtrip cycle` "
                                   "and `calibrate` measure on data you have",
                                   model));
}

}  // namespace

std::vector<std::string> TrainingSource::first_frames(int64_t count) const {
  const int64_t stored = (count - 1) * stride + 1;
  std::vector<std::string> settings = overrides;
  settings.push_back(fmt::format("frames={}", stored));
  if (has_end_time) {
    const double spacing = (end_time - start_time) / static_cast<double>(stored_frames - 1);
    settings.push_back(
        fmt::format("end_time={}", start_time + spacing * static_cast<double>(stored - 1)));
  }
  return settings;
}

TrainingSource training_source(const std::string& model) {
  const auto provenance = read_json(read_bundle_metadata(model).provenance);
  const nlohmann::json::json_pointer place("/data/source");
  if (!provenance.is_object() || !provenance.contains(place)) no_source(model);
  const auto& data = provenance["data"];
  const auto& told = provenance[place];
  TrainingSource source;
  try {
    const auto document = told.at("config").get<std::string>();
    const auto settings = toml_values(document);
    source.system = told.at("system").get<std::string>();
    source.seed = told.at("seed").get<uint64_t>();
    source.trajectories = data.at("trajectories").at("train").get<int64_t>();
    source.held_out = data.at("trajectories").at("selection").get<int64_t>() +
                      data.at("trajectories").at("calibration").get<int64_t>();
    source.frames = data.at("frames").get<int64_t>();
    source.stride = data.at("stride").get<int64_t>();
    source.stored_frames = settings.at("frames").get<int64_t>();
    source.has_end_time = settings.contains("end_time");
    source.start_time = settings.value("start_time", 0.0);
    source.end_time = settings.value("end_time", 0.0);
    source.overrides = recorded_overrides(source.system, document);
  } catch (const nlohmann::json::exception&) {
    no_source(model);
  }
  return source;
}

}  // namespace roundtrip

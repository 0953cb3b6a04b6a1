#include "roundtrip/evidence/training_source.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "roundtrip/base/settings.h"
#include "roundtrip/models/bundle.h"

namespace roundtrip {

std::vector<std::string> TrainingSource::first_frames(int64_t count) const {
  const double spacing = (end_time - start_time) / static_cast<double>(frames - 1);
  std::vector<std::string> settings = overrides;
  settings.push_back(fmt::format("frames={}", count));
  settings.push_back(
      fmt::format("end_time={}", start_time + spacing * static_cast<double>(count - 1)));
  return settings;
}

std::optional<TrainingSource> training_source(const std::string& model) {
  const auto provenance = nlohmann::json::parse(read_facts_of_bundle(model).provenance, nullptr,
                                                /*allow_exceptions=*/false);
  const nlohmann::json::json_pointer place("/data/source");
  if (!provenance.is_object() || !provenance.contains(place)) return std::nullopt;
  const auto& told = provenance[place];
  const auto settings = toml_values(told["config"].get<std::string>());
  TrainingSource source;
  source.system = told["system"].get<std::string>();
  source.seed = told["seed"].get<uint64_t>();
  source.trajectories = provenance["data"]["trajectories"].value("train", int64_t{0});
  source.frames = settings.value("frames", int64_t{2});
  source.start_time = settings.value("start_time", 0.0);
  source.end_time = settings.value("end_time", 0.0);
  for (const auto& [key, value] : settings.items()) {
    source.overrides.push_back(
        fmt::format("{}={}", key, value.is_string() ? value.get<std::string>() : value.dump()));
  }
  return source;
}

}  // namespace roundtrip

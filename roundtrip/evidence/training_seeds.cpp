#include "roundtrip/evidence/training_seeds.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "roundtrip/base/settings.h"
#include "roundtrip/models/bundle.h"
#include "roundtrip/systems/generate.h"
#include "roundtrip/systems/systems.h"

namespace roundtrip {
namespace {

// "key=value" of every setting, but as many frames as the model sees, spaced as they were.
std::vector<std::string> first_frames(const nlohmann::json& settings, int64_t contexts) {
  std::vector<std::string> overrides;
  for (const auto& [key, value] : settings.items()) {
    overrides.push_back(
        fmt::format("{}={}", key, value.is_string() ? value.get<std::string>() : value.dump()));
  }
  const double start = settings.value("start_time", 0.0), end = settings.value("end_time", 0.0);
  const auto frames = settings.value("frames", int64_t{2});
  const double spacing = (end - start) / static_cast<double>(frames - 1);
  const int64_t count = std::max<int64_t>(2, contexts);
  overrides.push_back(fmt::format("frames={}", count));
  overrides.push_back(fmt::format("end_time={}", start + spacing * static_cast<double>(count - 1)));
  return overrides;
}

}  // namespace

std::unique_ptr<Dataset> solve_training_seeds(const std::string& model,
                                              const std::filesystem::path& folder, int64_t threads,
                                              const GatherProgress& progress) {
  const ModelFacts facts = read_facts_of_bundle(model);
  const auto provenance =
      nlohmann::json::parse(facts.provenance, nullptr, /*allow_exceptions=*/false);
  const nlohmann::json::json_pointer place("/data/source");
  if (!provenance.is_object() || !provenance.contains(place)) return nullptr;
  const auto& data = provenance["data"];
  const auto& source = data["source"];
  const std::string name = source["system"].get<std::string>();
  const auto system = make_system(
      name, "small",
      first_frames(toml_values(source["config"].get<std::string>()), facts.denoiser.contexts));
  const GenerateRequest solve{
      .folder = folder,
      .size = {.train = data["trajectories"].value("train", int64_t{0}), .valid = 0, .test = 0},
      .seed = source["seed"].get<uint64_t>(),
      .shard = {},
      .threads = threads,
      .force = false,
      .name = name};
  generate(*system, solve, [&](int64_t done, int64_t total) {
    progress("solving training seeds", "frames", done, total);
  });
  DataConfig config = data_config_of(model);
  config.path = folder.string();
  return open_dataset(config);
}

}  // namespace roundtrip

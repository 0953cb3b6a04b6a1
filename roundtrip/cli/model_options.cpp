#include "roundtrip/cli/model_options.h"

#include <charconv>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include "roundtrip/base/error.h"
#include "roundtrip/cli/shipped_models.h"
#include "roundtrip/models/bundle.h"

namespace roundtrip {
namespace {

constexpr int64_t kDeepest = 1'000'000;

int64_t parse_depth(const std::string& text, const std::string& whole) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value > kDeepest) {
    throw Error("depths", fmt::format("{}: expected numbers and ranges as in 1-10,20,40, found "
                                      "\"{}\"",
                                      whole, text));
  }
  if (value < 1) {
    throw Error("depths", fmt::format("{}: expected depths of at least 1, found {}; depth i is "
                                      "the i-th predicted frame",
                                      whole, value));
  }
  return value;
}

}  // namespace

void declare(ModelOptions& chosen, Options& options) {
  options.add("--model", chosen.surrogate.model,
              "a bundle, the name of a shipped one, or a TorchScript file",
              Options::Need::required);
  options.add("--data", chosen.data, "a Well folder, an FNO .mat file, or a folder of clips",
              Options::Need::required);
  options.add("--codec", chosen.surrogate.codec,
              "of a TorchScript model: identity, or the bundle whose latents it steps");
  options.add("--contexts", chosen.surrogate.contexts,
              "frames a TorchScript model sees, if it does not say", 1, 1000);
  options.add("settings", chosen.settings,
              "sampler.* and data.* as key=value: instead of the bundle's");
}

OpenedModel open_model(const ModelOptions& chosen) {
  SurrogateRequest request = chosen.surrogate;
  request.model = model_path(request.model);
  OpenedModel opened;
  // A script steps the latents of its codec's bundle, and so reads data as that does.
  opened.config = data_config_of(is_bundle(request.model) ? request.model : request.codec);
  Settings settings("data");
  bind(opened.config, settings);
  for (const std::string& assignment : chosen.settings) {
    if (assignment.starts_with("data.")) {
      settings.read_override(assignment);
    } else {
      request.settings.push_back(assignment);
    }
  }
  opened.config.path = chosen.data;
  opened.dataset = open_dataset(opened.config);
  opened.surrogate = open_surrogate(request, opened.config, *opened.dataset);
  return opened;
}

Provenance provenance_of(const OpenedModel& opened, const std::string& config) {
  Provenance provenance;
  provenance.config = config + opened.surrogate.settings;
  provenance.data = opened.dataset->provenance();
  provenance.data["model"] = opened.surrogate.name;
  provenance.data["contexts"] = opened.surrogate.stepper->contexts();
  provenance.data["fingerprint"] = opened.surrogate.fingerprint;
  return provenance;
}

std::vector<std::string> split_list(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, ',');) parts.push_back(part);
  return parts;
}

std::vector<int64_t> parse_depths(const std::string& text) {
  std::set<int64_t> depths;
  for (const std::string& part : split_list(text)) {
    const size_t dash = part.find('-', 1);
    const int64_t first = parse_depth(part.substr(0, dash), text);
    const int64_t last =
        dash == std::string::npos ? first : parse_depth(part.substr(dash + 1), text);
    if (last < first) {
      throw Error("depths", fmt::format("{}: expected ranges that go up, found {}", text, part));
    }
    for (int64_t depth = first; depth <= last; ++depth) depths.insert(depth);
  }
  if (depths.empty()) throw Error("depths", "expected at least one depth, found none");
  return {depths.begin(), depths.end()};
}

}  // namespace roundtrip

// Says what a trained model holds, from its files alone: no torch.
#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "roundtrip/base/atomic_file.h"
#include "roundtrip/base/error.h"
#include "roundtrip/base/json_text.h"
#include "roundtrip/base/settings.h"
#include "roundtrip/base/sha256.h"
#include "roundtrip/cli/inspection.h"
#include "roundtrip/io/safetensors.h"

namespace roundtrip {
namespace {

namespace fs = std::filesystem;

using Json = nlohmann::ordered_json;

/// One thing a bundle's model.toml says, and under which key.
struct BundleFact {
  const char* label;
  const char* key;
  const char* former = "";  // its name in older bundles
};
constexpr BundleFact kBundleFacts[] = {
    {"format", "format"},
    {"dataset", "dataset"},
    {"channels", "channels"},
    {"height", "height"},
    {"width", "width"},
    {"split rule", "split_rule"},
    {"codec", "codec.network"},
    {"collapsed latent channels", "scales.collapsed", "scales.dead"},
    {"contexts", "denoiser.contexts"},
    {"denoiser width", "denoiser.width"},
    {"denoiser layers", "denoiser.layers", "denoiser.depth"},
    {"prediction", "diffusion.prediction"},
    {"target", "diffusion.target"},
    {"sampler", "sampler.name"},
    {"sampler steps", "sampler.steps"}};

// A value as text; "" when it is not there.
std::string fact(const nlohmann::json& values, const std::string& key) {
  const nlohmann::json* found = find_value(values, key);
  if (found == nullptr) return "";
  return found->is_string() ? found->get<std::string>() : shown_json(*found);
}

void describe_weights(const fs::path& path, const std::string& part, const std::string& digest,
                      Inspection& found) {
  const SafetensorsFile file(path);
  int64_t parameters = 0;
  for (const TensorInfo& tensor : file.tensors()) parameters += tensor.elements();
  const bool whole = sha256_of_file(path) == digest;
  found.facts.emplace_back(
      part + " weights",
      fmt::format("{} parameters in {} tensors, {}", parameters, file.tensors().size(),
                  whole ? "checksum fits" : "CHECKSUM DOES NOT FIT: damaged or of another model"));
  found.data["weights"][part] = {
      {"parameters", parameters}, {"tensors", file.tensors().size()}, {"checksum_fits", whole}};
  if (whole) return;
  found.fault = fmt::format(
      "expected weights of the checksums in model.toml, found other ones in "
      "{}; copy or train the bundle again",
      path.filename().string());
}

}  // namespace

Inspection inspect_bundle(const fs::path& path, const InspectProgress& progress) {
  const nlohmann::json values = toml_values(read_file(path / "model.toml"));
  if (!values.is_object()) {
    throw Error("inspect", fmt::format("{}: expected TOML, found something else; the bundle is "
                                       "damaged",
                                       (path / "model.toml").string()));
  }
  Inspection found{.kind = "bundle (a trained model)", .facts = {}};
  for (const auto& [label, key, former] : kBundleFacts) {
    const bool old = find_value(values, key) == nullptr && *former != '\0';
    found.facts.emplace_back(label, fact(values, old ? former : key));
    const nlohmann::json* value = find_value(values, key);
    std::string name = label;
    std::ranges::replace(name, ' ', '_');
    found.data[name] = value == nullptr ? Json() : Json(*value);
  }
  int64_t done = 0;
  for (const std::string part : {"codec", "denoiser"}) {
    describe_weights(path / (part + ".safetensors"), part, fact(values, "sha256." + part), found);
    progress(++done, 2);
  }
  return found;
}

}  // namespace roundtrip

// Says what a trained model holds, from its files alone: no torch.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "roundtrip/base/atomic_file.h"
#include "roundtrip/base/error.h"
#include "roundtrip/base/settings.h"
#include "roundtrip/base/sha256.h"
#include "roundtrip/cli/inspection.h"
#include "roundtrip/formats/safetensors.h"

namespace roundtrip {
namespace {

namespace fs = std::filesystem;

// Looks up "a.b" in a TOML document; "" when it is not there.
std::string fact(const nlohmann::json& values, const std::string& key) {
  const nlohmann::json* found = find_value(values, key);
  if (found == nullptr) return "";
  return found->is_string() ? found->get<std::string>() : found->dump();
}

std::string weights_fact(const fs::path& path, const std::string& digest) {
  const SafetensorsFile file(path);
  int64_t parameters = 0;
  for (const TensorInfo& tensor : file.tensors()) parameters += tensor.elements();
  const bool whole = sha256_of_file(path) == digest;
  return fmt::format(
      "{} parameters in {} tensors, {}", parameters, file.tensors().size(),
      whole ? "checksum fits" : "CHECKSUM DOES NOT FIT: damaged or of another model");
}

}  // namespace

Inspection inspect_bundle(const fs::path& path, const InspectProgress& progress) {
  const nlohmann::json values = toml_values(read_file(path / "model.toml"));
  if (!values.is_object()) {
    throw Error("inspect", fmt::format("{}: expected TOML, found something else; the bundle is "
                                       "damaged",
                                       (path / "model.toml").string()));
  }
  Inspection found{.kind = "bundle (a trained model)", .facts = {}, .arrays = {}};
  for (const auto& [label, key] :
       std::vector<std::pair<std::string, std::string>>{{"format", "format"},
                                                        {"dataset", "dataset"},
                                                        {"channels", "channels"},
                                                        {"height", "height"},
                                                        {"width", "width"},
                                                        {"split rule", "split_rule"},
                                                        {"codec", "codec.network"},
                                                        {"dead latent channels", "scales.dead"},
                                                        {"contexts", "denoiser.contexts"},
                                                        {"denoiser width", "denoiser.width"},
                                                        {"denoiser depth", "denoiser.depth"},
                                                        {"prediction", "diffusion.prediction"},
                                                        {"target", "diffusion.target"},
                                                        {"sampler", "sampler.name"},
                                                        {"sampler steps", "sampler.steps"}}) {
    found.facts.emplace_back(label, fact(values, key));
  }
  int64_t done = 0;
  for (const std::string part : {"codec", "denoiser"}) {
    found.facts.emplace_back(part + " weights", weights_fact(path / (part + ".safetensors"),
                                                             fact(values, "sha256." + part)));
    progress(++done, 2);
  }
  return found;
}

}  // namespace roundtrip

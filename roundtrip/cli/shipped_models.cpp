#include "roundtrip/cli/shipped_models.h"

#include <filesystem>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "roundtrip/base/error.h"
#include "roundtrip/base/own_program.h"

namespace roundtrip {

namespace fs = std::filesystem;
namespace {

bool holds_bundle(const fs::path& folder) { return fs::exists(folder / "model.toml"); }

}  // namespace

std::string shipped_model(const std::string& name) {
  std::vector<std::string> looked;
  for (const fs::path& place : shared_folders("models")) {
    if (holds_bundle(place / name)) return (place / name).string();
    looked.push_back((place / name).string());
  }
  throw Error("model", fmt::format("{}: expected the bundle that comes with the program, found it "
                                   "in none of {}; --model says where it is",
                                   name, fmt::join(looked, ", ")));
}

std::string model_path(const std::string& said) {
  const fs::path path = said;
  if (path.filename() == "model.toml" && fs::is_regular_file(path)) {
    return path.has_parent_path() ? path.parent_path().string() : ".";
  }
  if (fs::exists(path)) return said;
  for (const std::string& name : shipped_models()) {
    if (name == said) return shipped_model(name);
  }
  return said;
}

std::vector<std::string> shipped_models() {
  std::set<std::string> names;
  for (const fs::path& place : shared_folders("models")) {
    if (!fs::is_directory(place)) continue;
    for (const auto& entry : fs::directory_iterator(place)) {
      if (holds_bundle(entry.path())) names.insert(entry.path().filename().string());
    }
  }
  return {names.begin(), names.end()};
}

}  // namespace roundtrip

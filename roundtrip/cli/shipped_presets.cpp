#include "roundtrip/cli/shipped_presets.h"

#include <filesystem>
#include <set>

#include "roundtrip/base/error.h"
#include "roundtrip/base/names.h"
#include "roundtrip/base/own_program.h"

namespace roundtrip {
namespace fs = std::filesystem;

std::string preset_path(const std::string& said) {
  const fs::path path = said;
  const bool is_path = path.has_parent_path() || path.extension() == ".toml";
  if (is_path || fs::is_regular_file(path)) return said;
  for (const fs::path& folder : shared_folders("configs")) {
    const fs::path file = folder / (said + ".toml");
    if (fs::is_regular_file(file)) return file.string();
  }
  throw Error("config", unknown_name("preset", said, shipped_presets()));
}

std::vector<std::string> shipped_presets() {
  std::set<std::string> names;
  for (const fs::path& folder : shared_folders("configs")) {
    if (!fs::is_directory(folder)) continue;
    for (const auto& entry : fs::directory_iterator(folder)) {
      if (entry.path().extension() == ".toml") names.insert(entry.path().stem().string());
    }
  }
  return {names.begin(), names.end()};
}

}  // namespace roundtrip

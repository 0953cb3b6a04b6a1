#include "roundtrip/cli/shipped_models.h"

#include <filesystem>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "roundtrip/base/error.h"

namespace roundtrip {

std::string shipped_model(const std::string& name) {
  namespace fs = std::filesystem;
  const fs::path program = fs::read_symlink("/proc/self/exe").parent_path();
  const std::vector<fs::path> places = {
      fs::path("models") / name,                                           // the source tree
      (program / "../../../models" / name).lexically_normal(),             // build/PRESET/bin
      (program / "../share/roundtrip/models" / name).lexically_normal()};  // an installation
  std::vector<std::string> looked;
  for (const fs::path& place : places) {
    if (fs::exists(place / "model.toml")) return place.string();
    looked.push_back(place.string());
  }
  throw Error("model", fmt::format("{}: expected the bundle that comes with the program, found it "
                                   "in none of {}; --model says where it is",
                                   name, fmt::join(looked, ", ")));
}

}  // namespace roundtrip

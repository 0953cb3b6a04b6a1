#include "roundtrip/base/own_program.h"

namespace roundtrip {

std::filesystem::path program_folder() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path();
}

std::vector<std::filesystem::path> shared_folders(const std::string& kind) {
  const std::filesystem::path program = program_folder();
  return {kind,
          (program / "../../.." / kind).lexically_normal(),  // build/PRESET/bin
          (program / "../share/roundtrip" / kind).lexically_normal()};
}

}  // namespace roundtrip

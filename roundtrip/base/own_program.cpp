#include "roundtrip/base/own_program.h"

namespace roundtrip {

std::filesystem::path program_folder() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path();
}

}  // namespace roundtrip

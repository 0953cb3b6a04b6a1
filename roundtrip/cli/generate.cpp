#include "roundtrip/cli/command.h"
namespace roundtrip {
Action declare_generate(CLI::App&) { return [] {}; }
}  // namespace roundtrip

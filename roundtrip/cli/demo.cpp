#include "roundtrip/cli/command.h"
namespace roundtrip {
Action declare_demo(CLI::App&) { return [] {}; }
}  // namespace roundtrip

#include "roundtrip/cli/command.h"
namespace roundtrip {
Action declare_inspect(CLI::App&) { return [] {}; }
}  // namespace roundtrip

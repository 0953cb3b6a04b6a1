#include "roundtrip/cli/command.h"
namespace roundtrip {
Action declare_demo(Options&) { return [] {}; }
}  // namespace roundtrip

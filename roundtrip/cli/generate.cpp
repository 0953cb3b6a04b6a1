#include "roundtrip/cli/command.h"
namespace roundtrip {
Action declare_generate(Options&) { return [] {}; }
}  // namespace roundtrip

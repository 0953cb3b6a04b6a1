#include "roundtrip/cli/command.h"
namespace roundtrip {
Action declare_inspect(Options&) { return [] {}; }
}  // namespace roundtrip

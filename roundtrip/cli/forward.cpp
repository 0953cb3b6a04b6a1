// Loading libtorch takes about a second, for nearly 300 shared libraries most subcommands never
// touch. The program `roundtrip` is therefore built without it; the subcommands that need it are
// defined here as "run roundtrip-torch with the same arguments", and in files of their own for that
// program.
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>
#include <unistd.h>

#include "roundtrip/base/error.h"
#include "roundtrip/base/own_program.h"
#include "roundtrip/cli/command.h"

namespace roundtrip {
namespace {

Action forward(Options& options) {
  options.take_all();
  return [options] {
    const std::string program = program_folder() / "roundtrip-torch";
    std::vector<std::string> words = options.taken();
    std::vector<char*> arguments = {const_cast<char*>("roundtrip")};
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    // OpenMP's threads wait for one another by spinning unless told otherwise, and on a machine
    // that others use they take from each other the cores they wait for. It is read when the
    // program starts, so it must be set before; a choice of the user stands.
    ::setenv("OMP_WAIT_POLICY", "passive", /*overwrite=*/0);
    ::execv(program.c_str(), arguments.data());
    throw Error("program", fmt::format("{}: cannot be run: {}; build all targets again", program,
                                       std::strerror(errno)));
  };
}

}  // namespace

// These two describe the options of all subcommands, which that program alone knows.
Action declare_completion(Options& options) { return forward(options); }
Action declare_man(Options& options) { return forward(options); }
Action declare_config(Options& options) { return forward(options); }
Action declare_cycle(Options& options) { return forward(options); }
Action declare_demo(Options& options) { return forward(options); }
Action declare_doctor(Options& options) { return forward(options); }
Action declare_list(Options& options) { return forward(options); }
Action declare_reproduce(Options& options) { return forward(options); }
Action declare_rollout(Options& options) { return forward(options); }
Action declare_train(Options& options) { return forward(options); }
Action declare_trust(Options& options) { return forward(options); }

}  // namespace roundtrip

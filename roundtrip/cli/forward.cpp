// Loading libtorch takes about a second, for 180 shared libraries most verbs never touch. The
// program `roundtrip` is therefore built without it; the verbs that need it are defined here as
// "run roundtrip-torch with the same arguments", and in files of their own for that program.
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

#include "roundtrip/base/error.h"
#include "roundtrip/cli/command.h"

namespace roundtrip {
namespace {

Action forward(CLI::App& app) {
  // Every argument is the other program's to judge, --help included.
  app.set_help_flag();
  app.prefix_command();
  return [&app] {
    const auto self = std::filesystem::read_symlink("/proc/self/exe");
    const std::string program = self.parent_path() / "roundtrip-torch";
    std::vector<std::string> words = {"roundtrip", app.get_name()};
    for (const std::string& word : app.remaining()) words.push_back(word);
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    ::execv(program.c_str(), arguments.data());
    throw Error("program", fmt::format("{}: cannot be run: {}; build all targets again", program,
                                       std::strerror(errno)));
  };
}

}  // namespace

Action declare_doctor(CLI::App& app) { return forward(app); }

}  // namespace roundtrip

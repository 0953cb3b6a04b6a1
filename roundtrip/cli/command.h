#pragma once

#include <functional>
#include <string_view>

#include <CLI/CLI.hpp>

#include "roundtrip/base/catalog.h"

namespace roundtrip {

/// What a verb does once its options are read.
using Action = std::function<void()>;

/// One verb of the command line.
struct Command {
  std::string_view name;
  std::string_view summary;
  /// Declares the verb's options on `app` and returns what to run after they are parsed.
  Action (*declare)(CLI::App& app);
};

/// All verbs, by hand: adding one is a file, a test and a row.
const Catalog<Command>& commands();

/// Parses `argv`, runs the verb, and turns every outcome into an exit code: 0 success, 2 a user's
/// mistake (one line on standard error), 1 a bug of ours.
int run_program(int argc, char** argv);

Action declare_demo(CLI::App& app);
Action declare_doctor(CLI::App& app);
Action declare_generate(CLI::App& app);
Action declare_inspect(CLI::App& app);
Action declare_list(CLI::App& app);

}  // namespace roundtrip

#pragma once

#include <functional>
#include <string_view>

#include "roundtrip/base/registry.h"
#include "roundtrip/cli/options.h"

namespace roundtrip {

/// What a subcommand does once its options are read.
using Action = std::function<void()>;

/// One subcommand of the command line.
struct Command {
  std::string_view name;
  std::string_view summary;
  /// Declares the subcommand's options on `options` and returns what to run after they are parsed.
  Action (*declare)(Options& options);
};

/// All subcommands, by hand: adding one is a file, a test and an entry.
const Registry<Command>& commands();

/// Parses `argv`, runs the subcommand, and turns every outcome into an exit code: 0 success, 2 a
/// user's mistake (one line on standard error), 1 a bug of ours, 128 + n ended by signal n.
int run_program(int argc, char** argv);

Action declare_calibrate(Options& options);
Action declare_completion(Options& options);
Action declare_config(Options& options);
Action declare_cycle(Options& options);
Action declare_demo(Options& options);
Action declare_doctor(Options& options);
Action declare_generate(Options& options);
Action declare_inspect(Options& options);
Action declare_list(Options& options);
Action declare_man(Options& options);
Action declare_report(Options& options);
Action declare_reproduce(Options& options);
Action declare_rollout(Options& options);
Action declare_score(Options& options);
Action declare_train(Options& options);
Action declare_trust(Options& options);

}  // namespace roundtrip

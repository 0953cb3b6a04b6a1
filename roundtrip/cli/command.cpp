#include "roundtrip/cli/command.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <iostream>
#include <new>
#include <system_error>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "roundtrip/base/error.h"
#include "roundtrip/base/interrupt.h"
#include "roundtrip/base/memory.h"
#include "roundtrip/base/one_line.h"
#include "roundtrip/base/version.h"

namespace roundtrip {
namespace {

int fail(std::string_view message, int code) {
  fmt::print(stderr, "roundtrip: {}\n", one_line(std::string(message)));
  return code;
}

// CLI11's own messages, shortened to one line that says where help is.
int usage_error(const CLI::App& app, const std::string& what) {
  std::string subcommand, hint;
  const std::string first_line = what.substr(0, what.find('\n'));
  for (const CLI::App* chosen : app.get_subcommands()) {
    subcommand = " " + chosen->get_name();
    // "--resolution 32", where it should be "resolution=32".
    const bool settings = chosen->get_option_no_throw("settings") != nullptr;
    if (settings && first_line.find("not expected: --") != std::string::npos) {
      hint = "; settings have no dashes: key=value";
    }
  }
  return fail(fmt::format("[usage] {}{} (roundtrip{} --help lists the options)", first_line, hint,
                          subcommand),
              2);
}

// A misspelt subcommand deserves the nearest one, which CLI11 does not offer.
void check_subcommand(int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return;
  find_entry(commands(), "subcommand", argv[1]);
}

// Output that went nowhere (a full disk, a closed pipe end) is not success.
// CLI11 prints help by C++'s stream.
bool output_is_lost() {
  std::cout.flush();
  return std::fflush(stdout) != 0 || std::ferror(stdout) != 0 || !std::cout;
}

std::string lost_output() {
  return fmt::format("[output] standard output cannot be written: {}", std::strerror(errno));
}

// Declares all subcommands on `app`, parses, and returns the chosen subcommand's action.
Action parse(CLI::App& app, int argc, char** argv) {
  Action action;
  for (const Command& command : commands()) {
    CLI::App* subcommand =
        app.add_subcommand(std::string(command.name), std::string(command.summary));
    Options options(*subcommand);
    Action chosen = command.declare(options);
    subcommand->callback([&action, chosen] { action = chosen; });
  }
  check_subcommand(argc, argv);
  app.parse(argc, argv);
  return action;
}

}  // namespace

int run_program(int argc, char** argv) {
  keep_large_blocks();
  CLI::App app{"Learned simulators that know their own error", "roundtrip"};
  app.set_version_flag("--version", fmt::format("roundtrip {} ({})", version(), commit()));
  app.require_subcommand(0, 1);
  app.option_defaults()->always_capture_default();
  app.get_formatter()->column_width(38);
  try {
    const Action action = parse(app, argc, argv);
    if (action) {
      action();
    } else {
      fmt::print("{}", app.help());
    }
    return output_is_lost() ? fail(lost_output(), 2) : 0;
  } catch (const CLI::ParseError& error) {
    // Calls for help and for the version are exceptions too, with exit code 0.
    if (error.get_exit_code() != 0) return usage_error(app, error.what());
    app.exit(error);
    return output_is_lost() ? fail(lost_output(), 2) : 0;
  } catch (const Error& error) {
    return fail(error.what(), 2);
  } catch (const Interrupted& interrupted) {
    return fail(fmt::format("stopped; {}", interrupted.next()), 128 + interrupted.signal());
  } catch (const std::filesystem::filesystem_error& error) {
    return fail(fmt::format("[file] {}: {}", error.path1().string(), error.code().message()), 2);
  } catch (const std::system_error& error) {
    return fail(fmt::format("[system] {}", error.what()), 2);  // output that cannot be written
  } catch (const std::bad_alloc&) {
    return fail("[memory] not enough memory for these settings; smaller sizes need less", 2);
  } catch (const std::exception& error) {
    return fail(
        fmt::format("{}; this is a bug of roundtrip {}, please report it", error.what(), version()),
        1);
  }
}

}  // namespace roundtrip

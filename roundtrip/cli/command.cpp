#include "roundtrip/cli/command.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <iostream>
#include <new>
#include <string_view>
#include <system_error>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "roundtrip/base/error.h"
#include "roundtrip/base/interrupt.h"
#include "roundtrip/base/machine_load.h"
#include "roundtrip/base/memory.h"
#include "roundtrip/base/names.h"
#include "roundtrip/base/one_line.h"
#include "roundtrip/base/version.h"

namespace roundtrip {
namespace {

int fail(std::string_view message, int code) {
  fmt::print(stderr, "roundtrip: {}\n", one_line(std::string(message)));
  return code;
}

// What may have been meant by an option that `app` does not have; "" when nothing of that kind.
std::string hint_for_options(const CLI::App& app) {
  std::vector<std::string> known;
  for (const CLI::Option* option : app.get_options()) known.push_back(option->get_name());
  for (const std::string& word : app.remaining()) {
    if (!word.starts_with("--")) continue;
    const std::string nearest = nearest_name(word.substr(0, word.find('=')), known);
    if (!nearest.empty()) return fmt::format("; did you mean {}?", nearest);
    // "--resolution 32", where it should be "resolution=32".
    const bool settings = app.get_option_no_throw("settings") != nullptr;
    if (settings) return "; settings have no dashes: key=value";
  }
  return "";
}

// CLI11's own messages, shortened to one line that says where help is.
int usage_error(const CLI::App& app, const std::string& what) {
  std::string subcommand, hint = hint_for_options(app);
  const std::string first_line = what.substr(0, what.find('\n'));
  for (const CLI::App* chosen : app.get_subcommands()) {
    subcommand = " " + chosen->get_name();
    hint = hint_for_options(*chosen);
  }
  return fail(fmt::format("[usage] {}{} (roundtrip{} --help lists the options)", first_line, hint,
                          subcommand),
              2);
}

// `roundtrip help train` is `roundtrip train --help`.
std::vector<const char*> with_help_as_option(int argc, char** argv) {
  std::vector<const char*> words(argv, argv + argc);
  if (argc < 2 || words[1] != std::string_view("help")) return words;
  words.erase(words.begin() + 1);
  words.insert(words.begin() + std::min<std::ptrdiff_t>(2, argc - 1), "--help");
  return words;
}

// A misspelt subcommand deserves the nearest one, which CLI11 does not offer.
void check_subcommand(const std::vector<const char*>& words) {
  if (words.size() < 2 || words[1][0] == '-') return;
  find_entry(commands(), "subcommand", words[1]);
}

// On a terminal a line explains why long work takes longer than it should.
void warn_if_busy(const CLI::App& subcommand) {
  const bool computes = subcommand.get_option_no_throw("--threads") != nullptr;
  if (!computes || ::isatty(STDERR_FILENO) == 0) return;
  const std::string note = busy_note(machine_load());
  if (!note.empty()) fmt::print(stderr, "roundtrip: {}\n", note);
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
    subcommand->callback([&action, chosen, subcommand] {
      action = [chosen, subcommand] {
        warn_if_busy(*subcommand);
        chosen();
      };
    });
  }
  const std::vector<const char*> words = with_help_as_option(argc, argv);
  check_subcommand(words);
  app.parse(static_cast<int>(words.size()), words.data());
  return action;
}

}  // namespace

int run_program(int argc, char** argv) {
  keep_large_blocks();
  CLI::App app{"Learned simulators that know their own error", "roundtrip"};
  app.set_version_flag("--version", fmt::format("roundtrip {} ({})", version(), commit()));
  app.footer("`roundtrip help SUBCOMMAND` lists the options of one.");
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

// The man page, written from the declarations of the subcommands: it names what the program parses.
#include <fmt/format.h>

#include "roundtrip/base/version.h"
#include "roundtrip/cli/command.h"
#include "roundtrip/cli/command_text.h"

namespace roundtrip {
namespace {

// groff's own characters: a backslash starts an escape, a plain "-" is a hyphen that nobody can
// paste into a shell, and a line that begins with a dot or a quote is a request.
std::string roff(const std::string& text) {
  std::string escaped;
  for (const char letter : text) {
    const bool line_start = escaped.empty() || escaped.back() == '\n';
    if (line_start && (letter == '.' || letter == '\'')) escaped += "\\&";
    if (letter == '\\') {
      escaped += "\\e";
    } else if (letter == '-') {
      escaped += "\\-";
    } else {
      escaped += letter;
    }
  }
  return escaped;
}

// "system [settings...]"
std::string arguments_of(const CommandText& command) {
  std::string arguments;
  for (const OptionText& option : command.options) {
    if (!option.positional()) continue;
    const std::string name = option.name + (option.several ? "..." : "");
    arguments += option.required ? " " + name : " [" + name + "]";
  }
  return arguments;
}

std::string option_entry(const OptionText& option) {
  std::string heading = fmt::format("\\fB{}\\fR", roff(option.name));
  if (!option.positional() && !option.value.empty()) {
    heading += fmt::format(" \\fI{}\\fR", roff(option.value));
  }
  std::string meaning = roff(option.meaning);
  if (option.required) {
    meaning += " (required)";
  } else if (!option.default_value.empty()) {
    meaning += fmt::format(" (default: {})", roff(option.default_value));
  }
  return fmt::format(".TP\n{}\n{}\n", heading, meaning);
}

std::string command_entry(const CommandText& command) {
  std::string entry = fmt::format(".SS roundtrip {}{}\n{}.\n", roff(command.name),
                                  roff(arguments_of(command)), roff(command.summary));
  for (const OptionText& option : command.options) {
    if (option.name != "--help") entry += option_entry(option);
  }
  if (!command.footer.empty()) {
    entry += fmt::format(".PP\n.nf\n{}\n.fi\n", roff(command.footer));
  }
  return entry;
}

std::string man_page() {
  std::string page = fmt::format(
      ".TH ROUNDTRIP 1 \"\" \"roundtrip {}\" \"User Commands\"\n.ad l\n"
      ".SH NAME\nroundtrip \\- learned simulators that predict their own error\n"
      ".SH SYNOPSIS\n.B roundtrip\n\\fISUBCOMMAND\\fR [\\fIOPTIONS\\fR]\n.br\n"
      ".B roundtrip help\n\\fISUBCOMMAND\\fR\n"
      ".SH DESCRIPTION\n"
      "Trains a learned simulator and predicts, without ground truth, how wrong each of its "
      "rollouts is.\nEvery subcommand has \\fB\\-\\-help\\fR.\n"
      ".SH SUBCOMMANDS\n",
      version());
  for (const CommandText& command : command_texts()) page += command_entry(command);
  page +=
      ".SH EXIT STATUS\n0 success, 2 a user's mistake, 1 a bug of roundtrip, 128 + n ended by "
      "signal n.\n"
      ".SH ENVIRONMENT\n"
      ".TP\n\\fBOMP_NUM_THREADS\\fR\nThreads to compute on, where \\fB\\-\\-threads\\fR says "
      "nothing.\n"
      ".TP\n\\fBROUNDTRIP_READER\\fR\nThe program roundtrip\\-reader, when it is elsewhere.\n"
      ".SH FILES\n"
      "Models and presets that may be called by name lie in \\fImodels\\fR and \\fIconfigs\\fR of "
      "the working folder and of \\fI../share/roundtrip\\fR, seen from the program.\n";
  return page;
}

}  // namespace

Action declare_man(Options& options) {
  options.footer("`roundtrip man >roundtrip.1; man -l roundtrip.1` shows it.");
  return [] { fmt::print("{}", man_page()); };
}

}  // namespace roundtrip

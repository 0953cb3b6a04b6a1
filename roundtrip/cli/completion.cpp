// What a shell reads to complete our command lines, written from the declarations of the subcommands.
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "roundtrip/base/version.h"
#include "roundtrip/cli/command.h"
#include "roundtrip/cli/command_text.h"
#include "roundtrip/cli/shipped_models.h"
#include "roundtrip/cli/shipped_presets.h"
#include "roundtrip/systems/systems.h"

namespace roundtrip {
namespace {

using Words = std::vector<std::string>;

std::string bash_completion(const std::vector<CommandText>& commands);
std::string zsh_completion(const std::vector<CommandText>& commands);

struct Shell {
  std::string_view name;
  std::string_view summary;
  std::string (*completion)(const std::vector<CommandText>& commands);
};

const Registry<Shell>& shells() {
  static const Registry<Shell> rows = {{"bash", "source it, or install it", bash_completion},
                                      {"zsh", "a file _roundtrip on fpath", zsh_completion}};
  return rows;
}

// What can be said in place of `option`, as far as it is a matter of names; else a file, a number.
Words choices_of(const OptionText& option) {
  if (option.name == "system") return names_of(systems());
  if (option.name == "config") return shipped_presets();
  if (option.name == "--model") return shipped_models();
  if (option.name == "shell") return names_of(shells());
  return {};
}

Words names_of_options(const CommandText& command) {
  Words names;
  for (const OptionText& option : command.options) {
    if (!option.positional()) names.push_back(option.name);
  }
  return names;
}

Words choices_of_arguments(const CommandText& command) {
  for (const OptionText& option : command.options) {
    if (option.positional()) return choices_of(option);
  }
  return {};
}

// An empty reply lets bash complete names of files.
std::string bash_completion(const std::vector<CommandText>& commands) {
  Words names;
  std::string cases;
  for (const CommandText& command : commands) {
    names.push_back(command.name);
    cases += fmt::format("    {})\n      options='{}'\n      arguments='{}' ;;\n", command.name,
                         fmt::join(names_of_options(command), " "),
                         fmt::join(choices_of_arguments(command), " "));
  }
  return fmt::format(R"(# bash completion of roundtrip {0}, printed by `roundtrip completion bash`
_roundtrip() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}}
  local subcommands='{1}' options='' arguments='' words=''
  case ${{COMP_WORDS[1]}} in
    help)
      arguments=$subcommands ;;
{2}  esac
  if [ "$COMP_CWORD" = 1 ]; then
    words="$subcommands help --help --version"
  elif [ "$before" = --model ]; then
    words='{3}'
  elif [ "${{word#-}}" != "$word" ]; then
    words=$options
  elif [ "$COMP_CWORD" = 2 ]; then
    words=$arguments
  fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}}
complete -o default -F _roundtrip roundtrip
)",
                     version(), fmt::join(names, " "), cases, fmt::join(shipped_models(), " "));
}

// Inside a specification of zsh's _arguments, which stands in single quotes.
std::string zsh_text(const std::string& text) {
  std::string escaped;
  for (const char letter : text) {
    if (letter == '\'') {
      escaped += "'\\''";
    } else if (letter == '[' || letter == ']' || letter == ':' || letter == '\\') {
      escaped += fmt::format("\\{}", letter);
    } else {
      escaped += letter;
    }
  }
  return escaped;
}

// "--out[folder of the dataset]:TEXT:_files"
std::string zsh_option(const OptionText& option) {
  const Words choices = choices_of(option);
  const std::string values =
      choices.empty() ? "_files" : fmt::format("({})", fmt::join(choices, " "));
  if (option.positional()) {
    return fmt::format("'{}:{}:{}'", option.several ? "*" : "", zsh_text(option.name), values);
  }
  const std::string named = fmt::format("{}[{}]", option.name, zsh_text(option.meaning));
  if (option.value.empty()) return fmt::format("'{}'", named);
  return fmt::format("'{}:{}:{}'", named, zsh_text(option.value), values);
}

std::string zsh_completion(const std::vector<CommandText>& commands) {
  std::string summaries, cases;
  for (const CommandText& command : commands) {
    summaries += fmt::format("  '{}:{}'\n", command.name, zsh_text(command.summary));
    Words options;
    for (const OptionText& option : command.options) options.push_back(zsh_option(option));
    cases += fmt::format("  {}) _arguments {} ;;\n", command.name, fmt::join(options, " "));
  }
  return fmt::format(R"(#compdef roundtrip
# zsh completion of roundtrip {0}, printed by `roundtrip completion zsh`
local -a subcommands
subcommands=(
{1}  'help:The options of a subcommand'
)
if (( CURRENT == 2 )); then
  _describe subcommand subcommands
  return
fi
shift words
(( CURRENT-- ))
case $words[1] in
  help) _describe subcommand subcommands ;;
{2}esac
)",
                     version(), summaries, cases);
}

}  // namespace

Action declare_completion(Options& options) {
  auto shell = std::make_shared<std::string>();
  options.add("shell", *shell, "bash or zsh", Options::Need::required);
  options.footer("`source <(roundtrip completion bash)` completes in this shell.");
  return [shell] {
    fmt::print("{}", find_entry(shells(), "shell", *shell).completion(command_texts()));
  };
}

}  // namespace roundtrip

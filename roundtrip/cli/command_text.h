#pragma once

#include <string>
#include <vector>

namespace roundtrip {

/// An option or a positional argument of a subcommand, as its help prints it.
struct OptionText {
  std::string name;           // "--out"; a positional argument without dashes
  std::string value;          // "TEXT"; empty for a flag
  std::string default_value;  // empty: none
  std::string meaning;
  bool required = false;
  bool several = false;  // takes more than one value

  bool positional() const { return !name.starts_with("-"); }
};

/// A subcommand, as its help prints it.
struct CommandText {
  std::string name;
  std::string summary;
  std::vector<OptionText> options;
  std::string footer;
};

/// All subcommands with all options, from the declarations that parse them. Complete in
/// roundtrip-torch alone: `roundtrip` knows no options of the subcommands it forwards.
std::vector<CommandText> command_texts();

}  // namespace roundtrip

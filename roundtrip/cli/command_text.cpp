#include "roundtrip/cli/command_text.h"

#include <CLI/CLI.hpp>

#include "roundtrip/cli/command.h"

namespace roundtrip {
namespace {

OptionText text_of(const CLI::Option& option) {
  const bool flag = option.get_items_expected_max() == 0;
  const std::string shown = option.get_default_str();
  return {.name = option.get_name(),
          .value = flag ? "" : option.get_type_name(),
          .default_value = flag || shown == "[]" ? "" : shown,
          .meaning = option.get_description(),
          .required = option.get_required(),
          .several = option.get_expected_max() > 1};
}

}  // namespace

std::vector<CommandText> command_texts() {
  std::vector<CommandText> texts;
  for (const Command& command : commands()) {
    CLI::App app;
    app.option_defaults()->always_capture_default();
    Options options(app);
    const Action bound = command.declare(options);  // holds the variables the options refer to
    CommandText text{.name = std::string(command.name),
                     .summary = std::string(command.summary),
                     .options = {},
                     .footer = app.get_footer()};
    for (const CLI::Option* option : app.get_options()) text.options.push_back(text_of(*option));
    texts.push_back(std::move(text));
  }
  return texts;
}

}  // namespace roundtrip

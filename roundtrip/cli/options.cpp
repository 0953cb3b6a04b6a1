#include "roundtrip/cli/options.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace roundtrip {
namespace {

// Text that is no number at all is left to CLI11's own conversion.
CLI::Validator at_least(double lowest) {
  const auto check = [lowest](const std::string& text) -> std::string {
    double value = 0;
    if (!CLI::detail::lexical_cast(text, value) || value >= lowest) return "";
    return fmt::format("expected at least {}, found {}", lowest, text);
  };
  return {check, ""};
}

}  // namespace

void Options::add(const std::string& name, std::string& value, const std::string& meaning,
                  Need need) {
  CLI::Option* option = app_.add_option(name, value, meaning);
  if (need == Need::required) option->required();
}

void Options::add(const std::string& name, int64_t& value, const std::string& meaning,
                  int64_t lowest) {
  app_.add_option(name, value, meaning)->check(at_least(static_cast<double>(lowest)));
}

void Options::add(const std::string& name, uint64_t& value, const std::string& meaning) {
  app_.add_option(name, value, meaning);
}

void Options::add(const std::string& name, double& value, const std::string& meaning,
                  double lowest) {
  app_.add_option(name, value, meaning)->check(at_least(lowest));
}

void Options::add(const std::string& name, std::vector<std::string>& values,
                  const std::string& meaning) {
  app_.add_option(name, values, meaning);
}

void Options::flag(const std::string& name, bool& value, const std::string& meaning) {
  app_.add_flag(name, value, meaning);
}

void Options::footer(const std::string& text) { app_.footer(text); }

void Options::take_all() {
  app_.set_help_flag();
  app_.prefix_command();
}

std::vector<std::string> Options::taken() const {
  std::vector<std::string> words = {app_.get_name()};
  for (const std::string& word : app_.remaining()) words.push_back(word);
  return words;
}

}  // namespace roundtrip

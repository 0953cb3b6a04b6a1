#include "roundtrip/cli/options.h"

#include <CLI/CLI.hpp>

namespace roundtrip {

void Options::add(const std::string& name, std::string& value, const std::string& meaning,
                  Need need) {
  CLI::Option* option = app_.add_option(name, value, meaning);
  if (need == Need::required) option->required();
}

void Options::add(const std::string& name, int64_t& value, const std::string& meaning) {
  app_.add_option(name, value, meaning);
}

void Options::add(const std::string& name, uint64_t& value, const std::string& meaning) {
  app_.add_option(name, value, meaning);
}

void Options::add(const std::string& name, double& value, const std::string& meaning) {
  app_.add_option(name, value, meaning);
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

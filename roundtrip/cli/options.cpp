#include "roundtrip/cli/options.h"

#include <charconv>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "roundtrip/base/threads.h"

namespace roundtrip {
namespace {

// CLI11 wraps numbers that do not fit (-1 becomes 2^64 - 1); this takes whole text or nothing.
template <class Number>
CLI::Validator number_within(Number lowest, Number highest) {
  const auto check = [=](const std::string& text) -> std::string {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = error == std::errc() && end == text.data() + text.size();
    if (whole && value >= lowest && value <= highest) return "";
    return fmt::format("expected a number from {} to {}, found {}", lowest, highest, text);
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
                  int64_t lowest, int64_t highest) {
  app_.add_option(name, value, meaning)->check(number_within(lowest, highest));
}

void Options::add(const std::string& name, uint64_t& value, const std::string& meaning) {
  constexpr uint64_t kHighest = std::numeric_limits<uint64_t>::max();
  app_.add_option(name, value, meaning)->check(number_within(uint64_t{0}, kHighest));
}

void Options::add(const std::string& name, double& value, const std::string& meaning, double lowest,
                  double highest) {
  app_.add_option(name, value, meaning)->check(number_within(lowest, highest));
}

void Options::add(const std::string& name, std::vector<std::string>& values,
                  const std::string& meaning) {
  app_.add_option(name, values, meaning);
}

void Options::flag(const std::string& name, bool& value, const std::string& meaning) {
  app_.add_flag(name, value, meaning);
}

void Options::add_threads() {
  constexpr int64_t kMost = 4096;
  app_.add_option_function<int64_t>(
          "--threads", [](int64_t threads) { limit_threads(threads); },
          "threads to compute on; unless given, OMP_NUM_THREADS or all cores")
      ->check(number_within(int64_t{1}, kMost));
}

bool Options::given(const std::string& name) const { return app_.count(name) > 0; }

void Options::needs(const std::string& name, const std::string& other) {
  app_.get_option(name)->needs(app_.get_option(other));
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

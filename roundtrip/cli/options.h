#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace roundtrip {

/// The options of one subcommand, bound to variables that keep their defaults until the user says
/// otherwise; help prints those defaults. A thin face of CLI11, whose header alone takes seconds to
/// compile: only command.cpp and options.cpp see it.
class Options {
 public:
  explicit Options(CLI::App& app) : app_(app) {}

  /// "--seed" for an option, "system" for a positional argument. `required` has no default; numbers
  /// outside [lowest, highest] are refused.
  enum class Need { optional, required };
  void add(const std::string& name, std::string& value, const std::string& meaning,
           Need need = Need::optional);
  void add(const std::string& name, int64_t& value, const std::string& meaning, int64_t lowest,
           int64_t highest);
  void add(const std::string& name, uint64_t& value, const std::string& meaning);
  void add(const std::string& name, double& value, const std::string& meaning, double lowest,
           double highest);
  void add(const std::string& name, std::vector<std::string>& values, const std::string& meaning);
  /// An option that means nothing without another one is refused alone.
  void needs(const std::string& name, const std::string& other);
  void flag(const std::string& name, bool& value, const std::string& meaning);
  /// --threads, of everything this process computes: torch, BLAS and our own.
  void add_threads();

  /// Whether the user said it; for actions, which run after parsing.
  bool given(const std::string& name) const;

  /// Text printed below the list of options.
  void footer(const std::string& text);

  /// Takes every argument as it is, --help included, for another program to judge.
  void take_all();
  /// The subcommand's name followed by what `take_all` took.
  std::vector<std::string> taken() const;

 private:
  CLI::App& app_;
};

}  // namespace roundtrip

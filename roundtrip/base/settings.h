#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace roundtrip {

/// The settings of a struct as a table of rows bound to its members: name, value, meaning.
/// TOML files, `key=value` overrides, help and provenance all go through this table, so a setting
/// is declared once:
///
///     Settings settings("mhd");
///     settings.add("courant", config.courant, "fraction of the stable time step").within(0, 1);
///
/// Dotted names ("sampler.steps") live in TOML tables. Bound members must outlive the table.
class Settings {
 public:
  using Value = std::variant<bool*, int64_t*, double*, std::string*, std::vector<int64_t>*,
                             std::vector<double>*>;

  struct Row {
    std::string name;
    Value value;
    std::string meaning;
    std::vector<std::string> choices = {};  // allowed words of a string; empty = any
    std::string former = {};                // name in the version before; empty = the same
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();

    Row& within(double lowest, double highest);
    Row& at_least(double lowest);
    Row& one_of(std::vector<std::string> words);
    /// The old name of a setting that was renamed: still read, with a note.
    Row& formerly(std::string name);
  };

  /// `where` names the owner in messages: "mhd", or the path of a file.
  explicit Settings(std::string where);

  /// Binds one member; the reference is good until the next `add`.
  Row& add(std::string name, Value value, std::string meaning);
  template <class T>
  Row& add(std::string name, T& value, std::string meaning) {
    return add(std::move(name), Value(&value), std::move(meaning));
  }

  /// Reads a TOML document. Unknown keys, wrong types and values out of range are Errors that name
  /// the key; nothing is changed then.
  void read_toml(std::string_view document);
  /// Reads a TOML file by the same rules.
  void read_file(const std::string& path);
  /// Reads one override, "key=value"; the value is TOML, or a bare word for a string.
  void read_override(std::string_view assignment);

  /// All settings as a TOML document, each line with its meaning as a comment.
  std::string to_toml() const;
  nlohmann::ordered_json to_json() const;

  const std::vector<Row>& rows() const { return rows_; }
  /// A line for every setting that was read by its former name.
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  std::vector<std::string> names() const;
  bool has_section(const std::string& name) const;
  const Row* find(const std::string& name) const;

  std::string where_;
  std::vector<Row> rows_;
  std::vector<std::string> notes_;
};

/// The values of a TOML document without comments and layout, for telling whether two are the same;
/// null when it is not TOML.
nlohmann::json toml_values(std::string_view document);

/// The value called "section.key" among those of a document; null when there is none.
const nlohmann::json* find_value(const nlohmann::json& values, const std::string& name);

}  // namespace roundtrip

// A TOML document is first flattened to dotted keys, then matched against the rows. All values are
// checked before the first is stored, so that a bad file leaves the struct as it was.
#include "roundtrip/base/settings.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <sstream>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <toml++/toml.h>

#include "roundtrip/base/atomic_file.h"
#include "roundtrip/base/error.h"
#include "roundtrip/base/json_text.h"
#include "roundtrip/base/names.h"
#include "roundtrip/base/nesting.h"

namespace roundtrip {
namespace {

using Parsed =
    std::variant<bool, int64_t, double, std::string, std::vector<int64_t>, std::vector<double>>;

void flatten(const toml::table& table, const std::string& prefix,
             std::vector<std::pair<std::string, const toml::node*>>& out) {
  for (const auto& [key, node] : table) {
    const std::string name = prefix + std::string(key.str());
    const toml::table* inner = node.as_table();
    // An empty table holds no setting; it is kept so that a misspelt header is noticed.
    if (inner != nullptr && !inner->empty()) {
      flatten(*inner, name + ".", out);
    } else {
      out.emplace_back(name, &node);
    }
  }
}

std::string shown(const toml::node& node) {
  std::ostringstream text;
  node.visit([&](const auto& value) { text << value; });
  return text.str();
}

const char* type_name(const Settings::Value& value) {
  constexpr const char* kNames[] = {
      "true or false", "a whole number",          "a number",
      "a string",      "a list of whole numbers", "a list of numbers"};
  return kNames[value.index()];
}

template <class T>
std::optional<std::vector<T>> list_of(const toml::node& node) {
  const toml::array* array = node.as_array();
  if (array == nullptr) return std::nullopt;
  std::vector<T> values;
  for (const toml::node& element : *array) {
    const std::optional<T> value = element.value<T>();
    if (!value || element.is_boolean()) return std::nullopt;
    values.push_back(*value);
  }
  return values;
}

// The node as the type the row holds, or nothing. toml++ converts between numbers only where no
// digit is lost; a boolean is never a number.
std::optional<Parsed> parse(const Settings::Value& target, const toml::node& node) {
  switch (target.index()) {
    case 0:
      if (const auto value = node.value_exact<bool>()) return *value;
      return std::nullopt;
    case 1:
      if (const auto value = node.value<int64_t>(); value && node.is_number()) return *value;
      return std::nullopt;
    case 2:
      if (const auto value = node.value<double>(); value && node.is_number()) return *value;
      return std::nullopt;
    case 3:
      if (const auto value = node.value_exact<std::string>()) return *value;
      return std::nullopt;
    case 4:
      if (auto values = list_of<int64_t>(node)) return std::move(*values);
      return std::nullopt;
    default:
      if (auto values = list_of<double>(node)) return std::move(*values);
      return std::nullopt;
  }
}

bool in_range(const Settings::Row& row, const Parsed& value) {
  // No setting of ours is infinite or NaN; written so, a value is a slip.
  const auto inside = [&](double x) { return x >= row.low && x <= row.high && std::isfinite(x); };
  if (const auto* x = std::get_if<int64_t>(&value)) return inside(static_cast<double>(*x));
  if (const auto* x = std::get_if<double>(&value)) return inside(*x);
  if (const auto* xs = std::get_if<std::vector<int64_t>>(&value)) {
    return std::all_of(xs->begin(), xs->end(),
                       [&](int64_t x) { return inside(static_cast<double>(x)); });
  }
  if (const auto* xs = std::get_if<std::vector<double>>(&value)) {
    return std::all_of(xs->begin(), xs->end(), inside);
  }
  return true;
}

std::string range_of(const Settings::Row& row) {
  if (std::isinf(row.low) && std::isinf(row.high)) return "a finite number";
  if (std::isinf(row.high)) return fmt::format("at least {}", row.low);
  return fmt::format("between {} and {}", row.low, row.high);
}

void store(const Settings::Value& target, Parsed value) {
  std::visit(
      [&](auto* place) {
        *place = std::get<std::remove_reference_t<decltype(*place)>>(std::move(value));
      },
      target);
}

// TOML wants a point or an exponent in a float; {} of fmt prints the shortest exact digits.
std::string toml_number(double x) {
  if (std::isnan(x)) return "nan";
  if (std::isinf(x)) return x > 0 ? "inf" : "-inf";
  std::string text = fmt::format("{}", x);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

// Every reading of TOML: an Error that names `where` when it is none.
toml::table parsed_toml(std::string_view document, std::string_view where) {
  if (toml_nests_too_deep(document)) {
    throw Error(where, fmt::format("expected keys of at most {0} parts and at most {0} brackets in "
                                   "one another, found more; the file is damaged or no settings",
                                   kMostTomlNesting));
  }
  try {
    return toml::parse(document);
  } catch (const toml::parse_error& error) {
    throw Error(where, fmt::format("line {}: not valid TOML: {}", error.source().begin.line,
                                   error.description()));
  }
}

// JSON's escapes are a subset of those in TOML's basic strings.
std::string toml_text(const std::string& text) { return shown_json(text); }

// Whether a document is exactly one assignment: a value with line breaks could smuggle in others.
bool is_one_assignment(const std::string& document) {
  if (document.find_first_of("\r\n") != std::string::npos) return false;
  try {
    parsed_toml(document, "");
    return true;
  } catch (const Error&) {
    return false;
  }
}

struct TomlWriter {
  std::string operator()(const bool* x) const { return *x ? "true" : "false"; }
  std::string operator()(const int64_t* x) const { return fmt::format("{}", *x); }
  std::string operator()(const double* x) const { return toml_number(*x); }
  std::string operator()(const std::string* x) const { return toml_text(*x); }
  std::string operator()(const std::vector<int64_t>* xs) const {
    return fmt::format("[{}]", fmt::join(*xs, ", "));
  }
  std::string operator()(const std::vector<double>* xs) const {
    std::vector<std::string> words;
    for (const double x : *xs) words.push_back(toml_number(x));
    return fmt::format("[{}]", fmt::join(words, ", "));
  }
};

}  // namespace

Settings::Row& Settings::Row::within(double lowest, double highest) {
  low = lowest;
  high = highest;
  return *this;
}

Settings::Row& Settings::Row::at_least(double lowest) {
  low = lowest;
  return *this;
}

Settings::Row& Settings::Row::one_of(std::vector<std::string> words) {
  choices = std::move(words);
  return *this;
}

Settings::Row& Settings::Row::formerly(std::string earlier) {
  former = std::move(earlier);
  return *this;
}

Settings::Settings(std::string where) : where_(std::move(where)) {}

Settings::Row& Settings::add(std::string name, Value value, std::string meaning) {
  rows_.push_back({.name = std::move(name), .value = value, .meaning = std::move(meaning)});
  return rows_.back();
}

void Settings::read_toml(std::string_view document) {
  const toml::table table = parsed_toml(document, where_);
  std::vector<std::pair<std::string, const toml::node*>> nodes;
  flatten(table, "", nodes);
  std::vector<std::pair<const Row*, Parsed>> accepted;
  std::vector<std::string> notes;
  for (const auto& [name, node] : nodes) {
    const Row* row = find(name);
    if (row == nullptr) {
      if (node->is_table() && has_section(name)) continue;
      throw Error(where_, unknown_name("setting", name, names()));
    }
    const std::optional<Parsed> value = parse(row->value, *node);
    if (!value) {
      throw Error(where_, fmt::format("{}: expected {}, found {}", name, type_name(row->value),
                                      shown(*node)));
    }
    if (!in_range(*row, *value)) {
      throw Error(where_,
                  fmt::format("{}: expected {}, found {}", name, range_of(*row), shown(*node)));
    }
    const auto* word = std::get_if<std::string>(&*value);
    if (word != nullptr && !row->choices.empty() &&
        std::find(row->choices.begin(), row->choices.end(), *word) == row->choices.end()) {
      throw Error(where_, fmt::format("{}: expected one of {}, found {}", name,
                                      fmt::join(row->choices, ", "), *word));
    }
    if (std::any_of(accepted.begin(), accepted.end(),
                    [&](const auto& other) { return other.first == row; })) {
      throw Error(where_, fmt::format("{}: expected once, found it as {} too, its former name",
                                      row->name, row->former));
    }
    accepted.emplace_back(row, *value);
    if (row->name != name) {
      notes.push_back(fmt::format("{}: {} is now called {}; the old name is read by this version",
                                  where_, name, row->name));
    }
  }
  for (auto& [row, value] : accepted) store(row->value, std::move(value));
  notes_.insert(notes_.end(), notes.begin(), notes.end());
}

void Settings::read_file(const std::string& path) {
  if (!std::filesystem::is_regular_file(path)) {
    throw Error("config", fmt::format("{}: expected a TOML file, found none there", path));
  }
  Settings named = *this;  // the same members, the file's name in messages
  named.where_ = path;
  named.read_toml(roundtrip::read_file(path));
  notes_ = named.notes_;
}

void Settings::read_override(std::string_view assignment) {
  const size_t equals = assignment.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    throw Error(where_, fmt::format("expected key=value without spaces, found {}", assignment));
  }
  const std::string key(assignment.substr(0, equals));
  const std::string value(assignment.substr(equals + 1));
  const Row* row = find(key);
  if (row == nullptr) throw Error(where_, unknown_name("setting", key, names()));
  // A word for a string needs no quotes on a command line.
  const bool bare = std::holds_alternative<std::string*>(row->value) &&
                    (value.empty() || (value.front() != '"' && value.front() != '\''));
  // Nor does a number need its leading zero, ".5", which TOML asks for.
  const bool short_number = std::holds_alternative<double*>(row->value) && value.starts_with('.');
  const std::string document =
      key + " = " + (bare ? toml_text(value) : (short_number ? "0" : "") + value);
  if (!is_one_assignment(document)) {
    throw Error(where_, fmt::format("{}: expected {}, found {}", key, type_name(row->value),
                                    value.empty() ? "nothing" : value));
  }
  read_toml(document);
}

bool Settings::has_section(const std::string& name) const {
  return std::any_of(rows_.begin(), rows_.end(),
                     [&](const Row& row) { return row.name.starts_with(name + "."); });
}

const Settings::Row* Settings::find(const std::string& name) const {
  const auto row = std::find_if(rows_.begin(), rows_.end(), [&](const Row& candidate) {
    return candidate.name == name || (!candidate.former.empty() && candidate.former == name);
  });
  return row == rows_.end() ? nullptr : &*row;
}

std::vector<std::string> Settings::names() const {
  std::vector<std::string> names;
  for (const Row& row : rows_) names.push_back(row.name);
  return names;
}

std::string Settings::to_toml() const {
  // Top-level keys come before the first table header, then one table per dotted prefix.
  std::string top;
  std::vector<std::pair<std::string, std::string>> tables;
  for (const Row& row : rows_) {
    const size_t dot = row.name.rfind('.');
    const std::string key = dot == std::string::npos ? row.name : row.name.substr(dot + 1);
    std::string meaning = row.meaning;
    if (!row.choices.empty()) meaning += fmt::format(" ({})", fmt::join(row.choices, ", "));
    const std::string line =
        fmt::format("{} = {}  # {}\n", key, std::visit(TomlWriter{}, row.value), meaning);
    if (dot == std::string::npos) {
      top += line;
      continue;
    }
    const std::string prefix = row.name.substr(0, dot);
    if (tables.empty() || tables.back().first != prefix) tables.emplace_back(prefix, "");
    tables.back().second += line;
  }
  for (const auto& [prefix, lines] : tables) top += fmt::format("\n[{}]\n{}", prefix, lines);
  return top;
}

nlohmann::json toml_values(std::string_view document) {
  try {
    std::ostringstream text;
    text << toml::json_formatter(parsed_toml(document, ""));
    const auto values = read_json(text.str());
    return values.is_discarded() ? nlohmann::json() : nlohmann::json(values);
  } catch (const std::exception&) {
    return nullptr;
  }
}

const nlohmann::json* find_value(const nlohmann::json& values, const std::string& name) {
  std::string path = "/" + name;
  std::ranges::replace(path, '.', '/');
  const nlohmann::json::json_pointer place(path);
  return values.contains(place) ? &values[place] : nullptr;
}

nlohmann::ordered_json Settings::to_json() const {
  nlohmann::ordered_json object = nlohmann::ordered_json::object();
  for (const Row& row : rows_) {
    std::visit([&](const auto* value) { object[row.name] = *value; }, row.value);
  }
  return object;
}

}  // namespace roundtrip

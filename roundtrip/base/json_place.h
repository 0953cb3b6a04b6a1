#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace roundtrip {

/// A value in a JSON document that knows where it stands, so that what is wrong with it can be told
/// in one line: "records.json: sections[2].curves[0].x: expected numbers, found a string". Refers
/// to the document, which must outlive it.
class JsonPlace {
 public:
  /// The whole document, read from `file`.
  JsonPlace(const nlohmann::ordered_json& document, std::string file)
      : value_(&document), file_(std::move(file)) {}

  const nlohmann::ordered_json& value() const { return *value_; }
  /// "records.json: sections[2].title"
  std::string where() const;

  /// A member that must be there.
  JsonPlace at(std::string_view name) const;
  /// A member that may be missing.
  std::optional<JsonPlace> find(std::string_view name) const;
  /// Members of an object other than these are an Error that names the nearest of them.
  void expect_only(std::initializer_list<std::string_view> names) const;

  /// Each of these is an Error when the value is of another kind.
  std::vector<JsonPlace> items() const;
  std::vector<std::pair<std::string, JsonPlace>> members() const;
  std::string text() const;
  double number() const;
  int64_t integer() const;
  std::vector<double> numbers() const;
  std::vector<int64_t> integers() const;
  std::vector<std::string> texts() const;

  /// Throws "WHERE: expected EXPECTED, found a string".
  [[noreturn]] void fail(std::string_view expected) const;

 private:
  JsonPlace(const nlohmann::ordered_json& value, std::string file, std::string path)
      : value_(&value), file_(std::move(file)), path_(std::move(path)) {}

  const nlohmann::ordered_json* value_;
  std::string file_;
  std::string path_;  // empty for the whole document
};

/// The document in `text`; an Error in one line when it is not JSON.
nlohmann::ordered_json parse_json(std::string_view text, const std::string& where);

}  // namespace roundtrip

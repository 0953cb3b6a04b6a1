#include "roundtrip/base/json_place.h"

#include <algorithm>

#include <fmt/format.h>

#include "roundtrip/base/error.h"
#include "roundtrip/base/names.h"
#include "roundtrip/base/nesting.h"

namespace roundtrip {
namespace {

using Json = nlohmann::ordered_json;

std::string kind_of(const Json& value) {
  switch (value.type()) {
    case Json::value_t::null:
      return "null";
    case Json::value_t::object:
      return "an object";
    case Json::value_t::array:
      return "a list";
    case Json::value_t::string:
      return "a text";
    case Json::value_t::boolean:
      return "true or false";
    default:
      return fmt::format("the number {}", value.dump());
  }
}

}  // namespace

std::string JsonPlace::where() const {
  return path_.empty() ? file_ : fmt::format("{}: {}", file_, path_);
}

void JsonPlace::fail(std::string_view expected) const {
  throw Error("json",
              fmt::format("{}: expected {}, found {}", where(), expected, kind_of(*value_)));
}

JsonPlace JsonPlace::at(std::string_view name) const {
  const auto place = find(name);
  if (place) return *place;
  throw Error("json", fmt::format("{}: {} is missing", where(), name));
}

std::optional<JsonPlace> JsonPlace::find(std::string_view name) const {
  if (!value_->is_object()) fail("an object");
  const auto member = value_->find(std::string(name));
  if (member == value_->end()) return {};
  return JsonPlace(*member, file_, fmt::format("{}{}{}", path_, path_.empty() ? "" : ".", name));
}

void JsonPlace::expect_only(std::initializer_list<std::string_view> names) const {
  if (!value_->is_object()) fail("an object");
  for (const auto& [name, member] : value_->items()) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    const std::vector<std::string> known(names.begin(), names.end());
    throw Error("json", fmt::format("{}: {}", where(), unknown_name("member", name, known)));
  }
}

std::vector<JsonPlace> JsonPlace::items() const {
  if (!value_->is_array()) fail("a list");
  std::vector<JsonPlace> places;
  places.reserve(value_->size());
  for (size_t i = 0; i < value_->size(); ++i) {
    places.push_back(JsonPlace((*value_)[i], file_, fmt::format("{}[{}]", path_, i)));
  }
  return places;
}

std::vector<std::pair<std::string, JsonPlace>> JsonPlace::members() const {
  if (!value_->is_object()) fail("an object");
  std::vector<std::pair<std::string, JsonPlace>> places;
  for (const auto& [name, member] : value_->items()) places.emplace_back(name, at(name));
  return places;
}

std::string JsonPlace::text() const {
  if (!value_->is_string()) fail("a text");
  return value_->get<std::string>();
}

double JsonPlace::number() const {
  if (!value_->is_number()) fail("a number");
  return value_->get<double>();
}

int64_t JsonPlace::integer() const {
  if (!value_->is_number_integer()) fail("a whole number");
  if (value_->is_number_unsigned() && value_->get<uint64_t>() > INT64_MAX)
    fail("a whole number below 2^63");
  return value_->get<int64_t>();
}

std::vector<double> JsonPlace::numbers() const {
  std::vector<double> values;
  for (const JsonPlace& item : items()) values.push_back(item.number());
  return values;
}

std::vector<int64_t> JsonPlace::integers() const {
  std::vector<int64_t> values;
  for (const JsonPlace& item : items()) values.push_back(item.integer());
  return values;
}

std::vector<std::string> JsonPlace::texts() const {
  std::vector<std::string> values;
  for (const JsonPlace& item : items()) values.push_back(item.text());
  return values;
}

Json parse_json(std::string_view text, const std::string& where) {
  if (json_nests_too_deep(text)) {
    throw Error("json",
                fmt::format("{}: expected lists and objects at most {} deep in one another, "
                            "found deeper ones; the file is damaged or not ours",
                            where, kMostNesting));
  }
  try {
    return Json::parse(text);
  } catch (const Json::exception& error) {
    // "[json.exception.parse_error.101] parse error at line 2 ...", or a number too large.
    const std::string what = error.what();
    const size_t name_end = what.find("] ");
    throw Error("json", fmt::format("{}: not JSON: {}", where,
                                    what.substr(name_end == std::string::npos ? 0 : name_end + 2)));
  }
}

}  // namespace roundtrip

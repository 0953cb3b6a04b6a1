#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

// JSON to text and back, in one place: the library's reader and writer are templates that every
// file calling them would compile anew, two to four seconds each.

namespace roundtrip {

/// The value a text holds; one that `is_discarded()` when it is not JSON, or nested
/// deeper than any file of ours (base/nesting.h).
nlohmann::ordered_json read_json(std::string_view text);

/// On one line, or indented by so many spaces. An Error when a text in it is not UTF-8: replaced
/// bytes would make different values equal.
std::string json_text(const nlohmann::ordered_json& value, int indent = -1);
std::string json_text(const nlohmann::json& value, int indent = -1);

/// The same to be looked at: bytes that are not UTF-8 are replaced.
std::string shown_json(const nlohmann::ordered_json& value, int indent = -1);

}  // namespace roundtrip

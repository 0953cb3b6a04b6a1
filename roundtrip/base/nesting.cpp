#include "roundtrip/base/nesting.h"

#include <algorithm>

// Each scanner follows its language as far as it is valid: behind the first fault nothing is read
// any more, so that there it does not matter what is counted.

namespace roundtrip {
namespace {

// The place behind a string whose closing quotes are searched from `at` on.
size_t string_end(std::string_view text, size_t at, std::string_view quotes, bool escapes) {
  while (at < text.size() && !text.substr(at).starts_with(quotes)) {
    at += escapes && text[at] == '\\' ? 2 : 1;
  }
  return at + quotes.size();
}

// The place behind the TOML string that begins at `at`.
size_t toml_string_end(std::string_view text, size_t at) {
  const char quote = text[at];
  const std::string_view three = quote == '"' ? "\"\"\"" : "'''";
  const bool many_lines = text.substr(at).starts_with(three);
  const std::string_view quotes = many_lines ? three : three.substr(0, 1);
  size_t end = string_end(text, at + quotes.size(), quotes, /*escapes=*/quote == '"');
  // One or two quotes may stand right before the closing three.
  for (int more = 0; many_lines && more < 2 && end < text.size() && text[end] == quote; ++more) {
    ++end;
  }
  return end;
}

}  // namespace

bool json_nests_too_deep(std::string_view text) {
  int depth = 0;
  for (size_t at = 0; at < text.size();) {
    const char letter = text[at];
    if (letter == '"') {
      at = string_end(text, at + 1, "\"", /*escapes=*/true);
      continue;
    }
    if ((letter == '[' || letter == '{') && ++depth > kMostNesting) return true;
    if (letter == ']' || letter == '}') --depth;
    ++at;
  }
  return false;
}

bool toml_nests_too_deep(std::string_view document) {
  int depth = 0;
  int parts = 1;  // of the key that may stand here
  for (size_t at = 0; at < document.size();) {
    const char letter = document[at];
    if (letter == '"' || letter == '\'') {
      at = toml_string_end(document, at);
      continue;
    }
    if (letter == '#') {
      at = std::min(document.find('\n', at), document.size());
      continue;
    }
    if (letter == '.' && ++parts > kMostTomlNesting) return true;
    if ((letter == '[' || letter == '{') && ++depth > kMostTomlNesting) return true;
    if (letter == ']' || letter == '}') --depth;
    if (std::string_view("\n=,[]{}").find(letter) != std::string_view::npos) parts = 1;
    ++at;
  }
  return false;
}

}  // namespace roundtrip

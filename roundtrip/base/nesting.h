#pragma once

#include <string_view>

// Values in values are read, converted and freed by functions that call themselves, in our
// libraries as in our code; a text that goes on for ever would end the program when its stack is
// used up. So texts are measured before they are read.

namespace roundtrip {

/// Levels of lists and objects in one another that are read; our own files have fewer than ten.
inline constexpr int kMostNesting = 100;
/// Parts of a dotted key, and likewise brackets in brackets, that are read of a TOML document.
inline constexpr int kMostTomlNesting = 32;

/// Whether a JSON text nests lists and objects more than `kMostNesting` deep.
bool json_nests_too_deep(std::string_view text);

/// Whether a TOML document has a key of more parts, or more brackets in brackets, than are read.
bool toml_nests_too_deep(std::string_view document);

}  // namespace roundtrip

#pragma once

#include <string>

namespace roundtrip {

/// A text as it may be printed on one line of a terminal: line ends become spaces, and other
/// control characters, also those of two bytes in UTF-8 (U+0080 to U+009F), question marks. Names
/// taken from a file cannot steer a terminal then.
std::string one_line(std::string text);

}  // namespace roundtrip

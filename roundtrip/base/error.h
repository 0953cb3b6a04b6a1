#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace roundtrip {

/// A user's mistake, told in one line: where, what was expected, what was found, what to do.
/// Only `main` turns it into text and exit code 2.
class Error : public std::runtime_error {
 public:
  /// `where` names the part that noticed ("config", "well"); it is printed in brackets.
  Error(std::string_view where, std::string_view what);
};

/// Our own mistake: a condition the code relies on does not hold. Exit code 1.
class Bug : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// Throws Bug when `holds` is false.
void ensure(bool holds, std::string_view what);

}  // namespace roundtrip

#pragma once

#include <functional>
#include <string>

namespace roundtrip {

/// Calls `work` in a child process and returns the bytes it makes. For libraries that may crash or
/// loop without end on damaged input: here that ends the child, and is an Error that says `where`
/// is damaged. An Error thrown by `work` is thrown here.
std::string call_in_child(const std::string& where, const std::function<std::string()>& work);

}  // namespace roundtrip

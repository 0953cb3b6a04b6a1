#pragma once

#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace roundtrip {

/// Calls `work` in a child process and returns the bytes it makes. For libraries that may crash,
/// loop without end or stay broken when something goes wrong: here that ends with the child, as an
/// Error that names the file they worked `on` and gives `advice`. An Error or Bug thrown by
/// `work` is thrown here.
std::string call_in_child(const std::string& on, std::string_view advice,
                          const std::function<std::string()>& work);

/// Numbers as bytes, and back.
template <class Number>
std::string to_bytes(const std::vector<Number>& numbers) {
  static_assert(std::is_arithmetic_v<Number>);
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Number)};
}

template <class Number>
std::vector<Number> from_bytes(std::string_view bytes) {
  static_assert(std::is_arithmetic_v<Number>);
  std::vector<Number> numbers(bytes.size() / sizeof(Number));
  std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(Number));
  return numbers;
}

}  // namespace roundtrip

#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace roundtrip {

/// Processor time a child may take by itself: what reading the header of any real file needs, many
/// times over. Waiting (for a disk) counts sixtyfold less.
inline constexpr int64_t kChildSeconds = 2;

/// Work that a child process does. For libraries that may crash, loop without end, take all memory
/// or stay broken when something goes wrong: here that ends with the child, as an Error that names
/// the file they worked `on` and gives `advice`.
class ChildCall {
 public:
  /// Starts the child. The `work` sees this process as it is now, and changes nothing in it but
  /// SharedFloats.
  ChildCall(std::string on, std::string advice, const std::function<std::string()>& work,
            int64_t seconds = kChildSeconds);
  ~ChildCall();
  ChildCall(const ChildCall&) = delete;
  ChildCall& operator=(const ChildCall&) = delete;

  /// Waits for the bytes the work makes; an Error or Bug thrown by it is thrown here. Once only.
  std::string answer();

 private:
  std::string on_, advice_;
  int pipe_ = -1;
  int child_ = -1;
  std::optional<std::string> reply_;  // of work done in this process
};

/// Starts a child and waits for its answer.
std::string call_in_child(const std::string& on, const std::string& advice,
                          const std::function<std::string()>& work,
                          int64_t seconds = kChildSeconds);

/// Memory, zero at first, that this process shares with the children it starts.
class SharedFloats {
 public:
  explicit SharedFloats(size_t count);
  ~SharedFloats();
  SharedFloats(const SharedFloats&) = delete;
  SharedFloats& operator=(const SharedFloats&) = delete;

  float* data() const { return data_; }

 private:
  float* data_ = nullptr;
  size_t bytes_ = 0;
};

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

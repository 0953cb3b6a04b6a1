#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace roundtrip {

/// SHA-256 of bytes given piece by piece.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  void add(std::span<const std::byte> bytes);
  void add(std::string_view text);
  /// 64 lower-case hexadecimal digits. Once, at the end.
  std::string digest();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The digest of a file's bytes, read in pieces; an Error when it cannot be read.
std::string sha256_of_file(const std::filesystem::path& path);

}  // namespace roundtrip

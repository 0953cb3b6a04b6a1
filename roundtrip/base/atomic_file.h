#pragma once

#include <filesystem>
#include <string_view>

namespace roundtrip {

/// A file that appears whole or not at all: written under a temporary name in the same folder,
/// synced, then renamed. Without `commit` the temporary file is removed and nothing has changed.
/// What a killed process left of the same file goes when the next one has written it.
class AtomicFile {
 public:
  enum class IfExists { refuse, replace };

  /// Makes the folder if needed. An Error when the file exists and may not be replaced.
  explicit AtomicFile(std::filesystem::path path, IfExists if_exists = IfExists::replace);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// Where to write; ends in the final name, so that libraries that look at the extension see it.
  const std::filesystem::path& temporary() const { return temporary_; }

  /// Whether a path is a temporary file of this class, of this or another process.
  static bool is_temporary(const std::filesystem::path& path);
  /// Whether it is one whose process no longer runs on this machine.
  static bool is_abandoned(const std::filesystem::path& path);

  /// Syncs the temporary file to disk and gives it its name.
  void commit();

 private:
  std::filesystem::path path_;
  std::filesystem::path temporary_;
};

/// Writes `bytes` to `path` atomically.
void write_file(const std::filesystem::path& path, std::string_view bytes);

/// The bytes of a file; an Error when it cannot be read.
std::string read_file(const std::filesystem::path& path);

}  // namespace roundtrip

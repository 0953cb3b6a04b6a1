#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace roundtrip {

/// A file that appears whole or not at all: written under a temporary name in the same folder,
/// synced, then renamed. Without `commit` the temporary file is removed and nothing has changed.
class AtomicFile {
 public:
  enum class IfExists { refuse, replace };

  /// Makes the folder if needed. An Error when the file exists and may not be replaced, here and
  /// again in `commit`: it may have appeared meanwhile.
  explicit AtomicFile(std::filesystem::path path, IfExists if_exists = IfExists::replace);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// Where to write; ends in the final name, so that libraries that look at the extension see it.
  const std::filesystem::path& temporary() const { return temporary_; }

  /// Whether a path is a temporary file of this class, of this or another process.
  static bool is_temporary(const std::filesystem::path& path);
  /// Whether it is one that a process of this machine left and that no longer runs.
  static bool is_abandoned(const std::filesystem::path& path);
  /// Removes those of a folder, not of the folders in it.
  static void remove_abandoned(const std::filesystem::path& folder);
  /// What the temporary file of `name` is called in a process of this machine.
  static std::string temporary_name(int64_t process, const std::string& name);

  /// Syncs the temporary file to disk and gives it its name.
  void commit();

 private:
  std::filesystem::path path_;
  IfExists if_exists_;
  std::filesystem::path temporary_;
};

/// Writes `bytes` to `path` atomically.
void write_file(const std::filesystem::path& path, std::string_view bytes,
                AtomicFile::IfExists if_exists = AtomicFile::IfExists::replace);

/// The bytes of a file; an Error when it cannot be read.
std::string read_file(const std::filesystem::path& path);

}  // namespace roundtrip

#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>

namespace roundtrip {

/// An open file read and written at given places, from any number of threads at once. Failures are
/// Errors that name the file.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  /// `flags` as for open(2): O_RDONLY, O_WRONLY, with O_CREAT.
  FileDescriptor(const std::filesystem::path& path, int flags);
  FileDescriptor(FileDescriptor&& other) noexcept
      : path_(std::move(other.path_)), id_(std::exchange(other.id_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept;
  ~FileDescriptor() { close(); }

  bool is_open() const { return id_ >= 0; }
  void close();

  /// Takes disk space for the file's whole length, which may have holes; an Error when there is not
  /// enough. Does nothing on file systems that cannot.
  void reserve() const;
  /// All `bytes`, or an Error: a file that ends before them was cut short.
  void read_at(int64_t offset, void* into, int64_t bytes) const;
  void write_at(int64_t offset, const void* from, int64_t bytes) const;

 private:
  std::string path_;
  int id_ = -1;
};

}  // namespace roundtrip

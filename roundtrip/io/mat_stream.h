#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "roundtrip/io/file_descriptor.h"

namespace roundtrip {

/// The bytes of one element of a level-5 MAT file, read from front to back. Reading past the end or
/// through damaged compression is an Error.
class MatStream {
 public:
  virtual ~MatStream() = default;

  void read(std::span<std::byte> out);
  void skip(uint64_t bytes);
  /// Bytes read or skipped so far.
  uint64_t position() const { return position_; }
  /// Moves the end forward once it is known; an Error when there cannot be so many bytes.
  void set_end(uint64_t end);
  /// An Error unless there is room for so many more bytes before the end.
  void expect_room(uint64_t bytes) const;
  /// Reads what is left and checks that the element ends as it should.
  virtual void finish() {}

 protected:
  MatStream(std::string where, uint64_t end) : where_(std::move(where)), end_(end) {}
  virtual void read_bytes(std::span<std::byte> out) = 0;
  virtual void skip_bytes(uint64_t bytes) = 0;

  std::string where_;

 private:
  uint64_t position_ = 0;
  uint64_t end_ = 0;
};

/// `size` bytes of the file at `offset`, as they are.
std::unique_ptr<MatStream> plain_stream(const FileDescriptor& file, uint64_t offset, uint64_t size,
                                        std::string where);

/// What `size` bytes of zlib data at `offset` inflate to. Holds some 100 KB.
std::unique_ptr<MatStream> inflating_stream(const FileDescriptor& file, uint64_t offset,
                                            uint64_t size, std::string where);

}  // namespace roundtrip

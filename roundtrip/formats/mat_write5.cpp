// Level 5: a header, then an element per array, each a tag (type, length) and its bytes, padded to
// eight. "MAT-File Format", The MathWorks, chapter 1. See mat_level5.cpp for the reading side.
#include <algorithm>
#include <bit>
#include <string_view>

#include <fcntl.h>
#include <fmt/format.h>
#include <zlib.h>

#include "roundtrip/base/error.h"
#include "roundtrip/base/version.h"
#include "roundtrip/formats/file_descriptor.h"
#include "roundtrip/formats/mat_values.h"
#include "roundtrip/formats/mat_write.h"

namespace roundtrip {
namespace {

static_assert(std::endian::native == std::endian::little, "values are written as they are");

constexpr size_t kCompressedPiece = size_t{1} << 18;  // bytes compressed before they are written

template <class Number>
void append(std::string& bytes, Number number) {
  bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
}

void append_element(std::string& bytes, uint32_t type, std::string_view payload) {
  append(bytes, type);
  append(bytes, static_cast<uint32_t>(payload.size()));
  bytes += payload;
  bytes.resize((bytes.size() + 7) / 8 * 8, '\0');
}

// All of the array's element up to its values.
std::string element_start(const MatArray& array) {
  constexpr uint32_t kFlags = 6, kDims = 5, kName = 1, kSingleClass = 7, kSingleValues = 7;
  std::string flags, dims;
  append(flags, kSingleClass);
  append(flags, uint32_t{0});
  for (const int64_t extent : array.dims) append(dims, static_cast<int32_t>(extent));
  std::string body;
  append_element(body, kFlags, flags);
  append_element(body, kDims, dims);
  // Up to four bytes stand in the tag itself.
  ensure(!array.name.empty() && array.name.size() <= 4, "mat: a name of one to four letters");
  append(body, static_cast<uint32_t>(array.name.size()) << 16 | kName);
  body += array.name;
  body.resize((body.size() + 7) / 8 * 8, '\0');
  append(body, kSingleValues);
  append(body, static_cast<uint32_t>(array.values.size_bytes()));
  const size_t padded = (array.values.size_bytes() + 7) / 8 * 8;
  std::string element;
  append(element, kMatMatrix);
  append(element, static_cast<uint32_t>(body.size() + padded));
  return element + body;
}

/// Appends to a file.
class Appender {
 public:
  explicit Appender(const std::filesystem::path& path)
      : file_(path, O_WRONLY | O_CREAT | O_TRUNC) {}

  void write(std::string_view bytes) {
    file_.write_at(size_, bytes.data(), static_cast<int64_t>(bytes.size()));
    size_ += static_cast<int64_t>(bytes.size());
  }
  /// Writes over what is there.
  void patch(int64_t offset, uint32_t number) { file_.write_at(offset, &number, sizeof number); }
  int64_t size() const { return size_; }

 private:
  FileDescriptor file_;
  int64_t size_ = 0;
};

/// A stream of bytes deflated piece by piece.
class Deflater {
 public:
  explicit Deflater(Appender& out) : out_(out), piece_(kCompressedPiece, '\0') {
    ensure(deflateInit(&stream_, Z_DEFAULT_COMPRESSION) == Z_OK, "mat: zlib begins");
  }
  ~Deflater() { deflateEnd(&stream_); }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;

  void write(std::string_view bytes) {
    // zlib counts in 32 bits.
    for (; !bytes.empty(); bytes.remove_prefix(std::min(bytes.size(), kCompressedPiece))) {
      run(bytes.substr(0, kCompressedPiece), Z_NO_FLUSH);
    }
  }
  void finish() { run({}, Z_FINISH); }

 private:
  void run(std::string_view bytes, int flush) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream_.avail_in = static_cast<uInt>(bytes.size());
    do {
      stream_.next_out = reinterpret_cast<Bytef*>(piece_.data());
      stream_.avail_out = static_cast<uInt>(piece_.size());
      ensure(deflate(&stream_, flush) != Z_STREAM_ERROR, "mat: zlib goes on");
      out_.write(std::string_view(piece_).substr(0, piece_.size() - stream_.avail_out));
    } while (stream_.avail_out == 0);
  }

  Appender& out_;
  std::string piece_;
  z_stream stream_ = {};
};

void write_array(const MatArray& array, auto& out) {
  out.write(element_start(array));
  const size_t bytes = array.values.size_bytes();
  out.write({reinterpret_cast<const char*>(array.values.data()), bytes});
  out.write(std::string((8 - bytes % 8) % 8, '\0'));
}

// Its length is known, and written, at the end; unlike other elements it is not padded.
void write_compressed(const MatArray& array, Appender& out) {
  std::string tag;
  append(tag, kMatCompressed);
  append(tag, uint32_t{0});
  const int64_t start = out.size();
  out.write(tag);
  Deflater deflater(out);
  write_array(array, deflater);
  deflater.finish();
  const int64_t length = out.size() - start - static_cast<int64_t>(tag.size());
  ensure(length <= int64_t{UINT32_MAX}, "mat: a compressed array of less than 4 GB");
  out.patch(start + 4, static_cast<uint32_t>(length));
}

}  // namespace

std::string mat_header(bool level73) {
  // Without a date: the same data should give the same bytes.
  std::string header = fmt::format("MATLAB {} MAT-file, Created by: roundtrip {}",
                                   level73 ? "7.3" : "5.0", version());
  header.resize(116, ' ');
  header.resize(124, '\0');  // no subsystem data
  append(header, static_cast<uint16_t>(level73 ? 0x0200 : 0x0100));
  return header + "IM";
}

void write_mat_level5(const std::filesystem::path& path, const std::vector<MatArray>& arrays,
                      bool compress) {
  Appender out(path);
  out.write(mat_header(/*level73=*/false));
  for (const MatArray& array : arrays) {
    if (compress) {
      write_compressed(array, out);
    } else {
      write_array(array, out);
    }
  }
}

}  // namespace roundtrip

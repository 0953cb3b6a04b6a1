#include "roundtrip/io/mat_stream.h"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>
#include <zlib.h>

#include "roundtrip/base/error.h"
#include "roundtrip/io/inflation.h"

namespace roundtrip {
namespace {

class PlainStream : public MatStream {
 public:
  PlainStream(const FileDescriptor& file, uint64_t offset, uint64_t size, std::string where)
      : MatStream(std::move(where), size), file_(file), offset_(offset) {}

 private:
  void read_bytes(std::span<std::byte> out) override {
    file_.read_at(static_cast<int64_t>(offset_ + position()), out.data(),
                  static_cast<int64_t>(out.size()));
  }
  void skip_bytes(uint64_t) override {}

  const FileDescriptor& file_;
  uint64_t offset_;
};

class InflatingStream : public MatStream {
 public:
  InflatingStream(const FileDescriptor& file, uint64_t offset, uint64_t size, std::string where)
      : MatStream(std::move(where), size * kMostInflation),
        file_(file),
        offset_(offset),
        left_(size),
        input_(kBlock) {
    ensure(inflateInit(&state_) == Z_OK, "mat: zlib starts");
  }
  ~InflatingStream() override { inflateEnd(&state_); }

  // The checksum at the end tells whether what was read is what was written.
  void finish() override {
    std::array<std::byte, 4096> rest;
    while (!ended_) inflate_some(rest);
  }

 private:
  static constexpr size_t kBlock = 1 << 16;

  [[noreturn]] void fail(const char* what) const {
    throw Error("mat", fmt::format("{}: its compressed data {}; the file is damaged: download or "
                                   "generate it again",
                                   where_, what));
  }

  void read_bytes(std::span<std::byte> out) override {
    while (!out.empty()) {
      if (ended_) fail("end too early");
      out = out.subspan(inflate_some(out));
    }
  }

  void skip_bytes(uint64_t bytes) override {
    std::vector<std::byte> scratch(std::min<uint64_t>(bytes, kBlock));
    while (bytes > 0) {
      const size_t now = std::min<uint64_t>(bytes, scratch.size());
      read_bytes(std::span(scratch).first(now));
      bytes -= now;
    }
  }

  // Inflates up to out.size() bytes and says how many; none only at the end or while input is fed.
  size_t inflate_some(std::span<std::byte> out) {
    if (state_.avail_in == 0) {
      if (left_ == 0) fail("end too early");
      const size_t now = std::min<uint64_t>(left_, kBlock);
      file_.read_at(static_cast<int64_t>(offset_), input_.data(), static_cast<int64_t>(now));
      offset_ += now;
      left_ -= now;
      state_.next_in = input_.data();
      state_.avail_in = static_cast<uInt>(now);
    }
    const size_t room = std::min<size_t>(out.size(), size_t{1} << 30);
    state_.next_out = reinterpret_cast<Bytef*>(out.data());
    state_.avail_out = static_cast<uInt>(room);
    const int result = inflate(&state_, Z_NO_FLUSH);
    if (result == Z_STREAM_END) {
      ended_ = true;
    } else if (result != Z_OK) {
      fail("are not valid");
    }
    return room - state_.avail_out;
  }

  const FileDescriptor& file_;
  uint64_t offset_;  // of the next input in the file
  uint64_t left_;    // input not yet read
  std::vector<Bytef> input_;
  z_stream state_ = {};
  bool ended_ = false;
};

}  // namespace

void MatStream::expect_room(uint64_t bytes) const {
  if (bytes <= end_ - position_) return;
  throw Error("mat",
              fmt::format("{}: expected {} bytes at {} of the variable, found {}; the file is "
                          "cut short or damaged: download or generate it again",
                          where_, bytes, position_, end_ - position_));
}

void MatStream::set_end(uint64_t end) {
  expect_room(end - std::min(end, position_));
  end_ = std::max(end, position_);
}

void MatStream::read(std::span<std::byte> out) {
  expect_room(out.size());
  read_bytes(out);
  position_ += out.size();
}

void MatStream::skip(uint64_t bytes) {
  expect_room(bytes);
  skip_bytes(bytes);
  position_ += bytes;
}

std::unique_ptr<MatStream> plain_stream(const FileDescriptor& file, uint64_t offset, uint64_t size,
                                        std::string where) {
  return std::make_unique<PlainStream>(file, offset, size, std::move(where));
}

std::unique_ptr<MatStream> inflating_stream(const FileDescriptor& file, uint64_t offset,
                                            uint64_t size, std::string where) {
  return std::make_unique<InflatingStream>(file, offset, size, std::move(where));
}

}  // namespace roundtrip

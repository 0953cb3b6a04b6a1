// By FFmpeg's libavutil, which we link for video anyway.
#include "roundtrip/base/sha256.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <new>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "roundtrip/base/error.h"

extern "C" {
#include <libavutil/mem.h>
#include <libavutil/sha.h>
}

namespace roundtrip {

struct Sha256::State {
  AVSHA* sha = av_sha_alloc();
  ~State() { av_free(sha); }
};

Sha256::Sha256() : state_(std::make_unique<State>()) {
  if (state_->sha == nullptr) throw std::bad_alloc();
  av_sha_init(state_->sha, /*bits=*/256);
}

Sha256::~Sha256() = default;

void Sha256::add(std::span<const std::byte> bytes) {
  av_sha_update(state_->sha, reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
}

void Sha256::add(std::string_view text) { add(std::as_bytes(std::span(text))); }

std::string Sha256::digest() {
  std::array<uint8_t, 32> bytes{};
  av_sha_final(state_->sha, bytes.data());
  return fmt::format("{:02x}", fmt::join(bytes, ""));
}

std::string sha256_of_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  Sha256 sha;
  std::vector<char> buffer(1 << 20);
  while (file) {
    file.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
    sha.add(std::string_view(buffer.data(), static_cast<size_t>(file.gcount())));
  }
  if (!file.eof()) {
    throw Error("file", fmt::format("{}: cannot be read: {}", path.string(), std::strerror(errno)));
  }
  return sha.digest();
}

}  // namespace roundtrip

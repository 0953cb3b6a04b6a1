#include "roundtrip/data/file_digest.h"

#include <algorithm>
#include <string_view>

#include <fcntl.h>
#include <fmt/format.h>

#include "roundtrip/base/sha256.h"
#include "roundtrip/io/file_descriptor.h"

namespace roundtrip {

std::string digest_of_files(const std::filesystem::path& folder,
                            const std::vector<std::filesystem::path>& files) {
  constexpr int64_t kEnds = 4096;
  Sha256 digest;
  std::string bytes;
  for (const std::filesystem::path& path : files) {
    const auto size = static_cast<int64_t>(std::filesystem::file_size(path));
    digest.add(fmt::format("{} {}\n", path.lexically_relative(folder).generic_string(), size));
    const FileDescriptor file(path, O_RDONLY);
    const int64_t head = std::min(kEnds, size), tail = std::min(kEnds, size - head);
    bytes.resize(static_cast<size_t>(head + tail));
    file.read_at(0, bytes.data(), head);
    file.read_at(size - tail, bytes.data() + head, tail);
    digest.add(std::string_view(bytes));
  }
  return digest.digest();
}

}  // namespace roundtrip

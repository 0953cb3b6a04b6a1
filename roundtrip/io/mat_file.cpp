#include "roundtrip/io/mat_file.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "roundtrip/base/error.h"
#include "roundtrip/io/file_descriptor.h"
#include "roundtrip/io/mat_level5.h"
#include "roundtrip/io/mat_level73.h"

namespace roundtrip {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kHdf5Signature = "\x89HDF\r\n\x1a\n";

// HDF5 begins at byte 0 or, behind MATLAB's header, at 512.
bool is_hdf5(const FileDescriptor& file, uint64_t size) {
  for (const uint64_t offset : {0, 512}) {
    std::array<char, kHdf5Signature.size()> bytes = {};
    if (offset + bytes.size() > size) return false;
    file.read_at(static_cast<int64_t>(offset), bytes.data(), bytes.size());
    if (std::string_view(bytes.data(), bytes.size()) == kHdf5Signature) return true;
  }
  return false;
}

}  // namespace

std::string MatVariable::shown() const {
  // A damaged name may be anything; a message stays one short line.
  std::string safe = name.substr(0, 64);
  std::replace_if(
      safe.begin(), safe.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  if (dims.empty()) return fmt::format("{} {}", safe, type);  // structs and links have no size
  return fmt::format("{} {} ({})", safe, type, fmt::join(dims, ", "));
}

std::unique_ptr<MatFile> open_mat_file(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) {
    throw Error("mat",
                fmt::format("{}: expected a MAT file, found {}; check the path", path.string(),
                            fs::exists(path, error) ? "no regular file" : "nothing"));
  }
  const uint64_t size = fs::file_size(path);
  FileDescriptor file(path, O_RDONLY);
  if (is_hdf5(file, size)) return open_mat_level73(path);
  return open_mat_level5(std::move(file), size, path.string());
}

}  // namespace roundtrip

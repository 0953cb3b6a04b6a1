// Files are told apart by the names people give them, since a damaged file should be called a
// damaged file of its kind; only names that say nothing are looked into.
#include "roundtrip/cli/inspect_kind.h"

#include <algorithm>
#include <cstring>
#include <fstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "roundtrip/base/error.h"
#include "roundtrip/io/safetensors_header.h"
#include "roundtrip/io/video_reader.h"

namespace roundtrip {
namespace {

namespace fs = std::filesystem;

const InspectKind kWellFile{"a Well file", {".hdf5", ".h5"}, true, inspect_well_file};
const InspectKind kWellStats{"Well statistics", {".yaml", ".yml"}, false, inspect_well_stats};
const InspectKind kMatFile{"a MAT file", {".mat"}, false, inspect_mat};
const InspectKind kTensors{"a safetensors file", {".safetensors"}, false, inspect_safetensors};
const InspectKind kVideo{"a video",
                         {".mp4", ".mov", ".mkv", ".avi", ".webm", ".m4v", ".mpg"},
                         false,
                         inspect_video_file};
const InspectKind kBundle{"a bundle", {}, false, inspect_bundle};
const InspectKind kClips{"a folder of clips", {}, false, inspect_clips_folder};
const InspectKind kWellFolder{"a Well dataset", {}, true, inspect_well_folder};

const InspectKind* const kFileKinds[] = {&kWellFile, &kWellStats, &kMatFile, &kTensors, &kVideo};

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char letter) {
    return static_cast<char>(letter >= 'A' && letter <= 'Z' ? letter + ('a' - 'A') : letter);
  });
  return text;
}

std::string bytes_at(std::ifstream& file, uint64_t offset, size_t count) {
  std::string bytes(count, '\0');
  file.clear();
  file.seekg(static_cast<std::streamoff>(offset));
  file.read(bytes.data(), static_cast<std::streamsize>(count));
  bytes.resize(static_cast<size_t>(std::max<std::streamsize>(file.gcount(), 0)));
  return bytes;
}

// HDF5's signature stands at byte 0, 512, 1024, 2048 ...: whatever comes before is the user's.
bool is_hdf5(std::ifstream& file, uint64_t size) {
  constexpr std::string_view kSignature = "\x89HDF\r\n\x1a\n";
  for (uint64_t at = 0; at < size; at = at == 0 ? 512 : 2 * at) {
    if (bytes_at(file, at, kSignature.size()) == kSignature) return true;
  }
  return false;
}

// A length that fits the file, then the JSON of a header.
bool is_safetensors(const std::string& start, uint64_t size) {
  uint64_t length = 0;
  if (start.size() < sizeof length + 1) return false;
  std::memcpy(&length, start.data(), sizeof length);
  return length <= kMaxSafetensorsHeader && length <= size - sizeof length &&
         start[sizeof length] == '{';
}

bool is_video(const fs::path& path) {
  try {
    inspect_video(path);
    return true;
  } catch (const Error&) {
    return false;
  }
}

const InspectKind* kind_by_content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  const uint64_t size = fs::file_size(path);
  const std::string start = bytes_at(file, 0, 16);
  // First MAT: those of level 7.3 are HDF5 files as well.
  if (start.starts_with("MATLAB 5.0 MAT-") || start.starts_with("MATLAB 7.3 MAT-"))
    return &kMatFile;
  if (is_hdf5(file, size)) return &kWellFile;
  if (is_safetensors(start, size)) return &kTensors;
  return is_video(path) ? &kVideo : nullptr;
}

const InspectKind& kind_of_folder(const fs::path& path) {
  if (fs::is_regular_file(path / "model.toml")) return kBundle;
  return fs::is_regular_file(path / "clips.csv") ? kClips : kWellFolder;
}

}  // namespace

const InspectKind& kind_at(const fs::path& path) {
  if (!fs::exists(path))
    throw Error("inspect", fmt::format("{}: no such file or folder", path.string()));
  if (fs::is_directory(path)) return kind_of_folder(path);
  // Opening a pipe would wait for ever for somebody to write into it.
  if (!fs::is_regular_file(path)) {
    throw Error("inspect", fmt::format("{}: expected a regular file or a folder, found a pipe, "
                                       "socket or device",
                                       path.string()));
  }
  const std::string extension = lower(path.extension().string());
  std::vector<std::string> known;
  for (const InspectKind* kind : kFileKinds) {
    if (std::ranges::find(kind->extensions, extension) != kind->extensions.end()) return *kind;
    known.insert(known.end(), kind->extensions.begin(), kind->extensions.end());
  }
  if (const InspectKind* kind = kind_by_content(path)) return *kind;
  throw Error("inspect", fmt::format("{}: not a kind of file I know, by its name or its content; "
                                     "expected {}, or a folder",
                                     path.string(), fmt::join(known, " ")));
}

}  // namespace roundtrip

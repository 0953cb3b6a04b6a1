#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace roundtrip {

/// A folder of data too large for the repository, by name ("grid", "taesd"; docs/how-to/faces.md says how
/// to get them): in $ROUNDTRIP_TEST_DATA, or in ../shared/data beside the source; empty when it is
/// in neither, so that its tests are skipped.
inline std::filesystem::path shared_data(const std::string& name) {
  const char* chosen = std::getenv("ROUNDTRIP_TEST_DATA");
  const std::filesystem::path root =
      chosen != nullptr ? chosen : ROUNDTRIP_SOURCE_DIR "/../shared/data";
  return std::filesystem::exists(root / name) ? root / name : std::filesystem::path();
}

/// Why a test of such data is skipped.
inline std::string missing_data(const std::string& name) {
  return "no folder " + name + " in $ROUNDTRIP_TEST_DATA; docs/how-to/faces.md says how to get it";
}

}  // namespace roundtrip

#pragma once

#include <filesystem>
#include <string>

#include "roundtrip/cli/inspection.h"

namespace roundtrip {

/// One kind of thing that `inspect` knows.
struct InspectKind {
  std::string name;                     // "a Well file"
  std::vector<std::string> extensions;  // in lower case; none for folders
  bool drawable = false;                // --picture draws it
  Inspection (*inspect)(const std::filesystem::path&, const InspectProgress&);
};

/// What is at a path: of files by the extension, in letters of any case, and where that says
/// nothing by how they begin; of folders by what lies in them. An Error when it is nothing we know.
const InspectKind& kind_at(const std::filesystem::path& path);

}  // namespace roundtrip

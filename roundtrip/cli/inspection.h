#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "roundtrip/stats/value_summary.h"

namespace roundtrip {

/// One array of a file: a field, a variable, a tensor.
struct ArrayFinding {
  std::string name;
  std::string type;
  std::vector<int64_t> shape;
  ValueSummary values;
};

/// What `inspect` found at a path.
struct Inspection {
  std::string kind;                                        // "Well file"
  std::vector<std::pair<std::string, std::string>> facts;  // in the order they are shown
  std::vector<ArrayFinding> arrays;
};

/// Called with (done, total) while values are read.
using InspectProgress = std::function<void(int64_t done, int64_t total)>;

/// Files and folders of the Well; values are read a window at a time.
Inspection inspect_well_file(const std::filesystem::path& path, const InspectProgress& progress);
Inspection inspect_well_folder(const std::filesystem::path& path, const InspectProgress& progress);
/// A stats.yaml.
Inspection inspect_well_stats(const std::filesystem::path& path, const InspectProgress& progress);

/// A trained model; its checksums are compared.
Inspection inspect_bundle(const std::filesystem::path& path, const InspectProgress& progress);

Inspection inspect_mat(const std::filesystem::path& path, const InspectProgress& progress);
Inspection inspect_safetensors(const std::filesystem::path& path, const InspectProgress& progress);
Inspection inspect_video_file(const std::filesystem::path& path, const InspectProgress& progress);
Inspection inspect_clips_folder(const std::filesystem::path& path, const InspectProgress& progress);

}  // namespace roundtrip

#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "roundtrip/metrics/value_summary.h"

namespace roundtrip {

/// One array of a file: a field, a variable, a tensor.
struct ArrayFinding {
  std::string name;
  std::string type;            // as stored
  std::vector<int64_t> shape;  // as stored
  ValueSummary values;         // of all stored values; of none where the type is not read
  bool as_float32 = false;     // wider numbers were rounded: what is beyond float32 is infinite
};

/// What `inspect` found at a path.
struct Inspection {
  std::string kind;                                        // "Well file"
  std::vector<std::pair<std::string, std::string>> facts;  // in the order they are shown
  /// The same for programs, numbers as numbers. Names of members are ours; what a file may name as
  /// it likes stands inside of them, so that it cannot pass for ours.
  nlohmann::ordered_json data = nlohmann::ordered_json::object();
  std::vector<ArrayFinding> arrays = {};
  std::string fault = {};  // what makes it unfit for use, told after all that was found
};

/// Called with (done, total) while values are read.
using InspectProgress = std::function<void(int64_t done, int64_t total)>;

/// Files and folders of the Well; values are read 64 MB at a time.
Inspection inspect_well_file(const std::filesystem::path& path, const InspectProgress& progress);
Inspection inspect_well_folder(const std::filesystem::path& path, const InspectProgress& progress);
/// A stats.yaml.
Inspection inspect_well_stats(const std::filesystem::path& path, const InspectProgress& progress);

/// A trained model; its checksums are compared, and a difference is a fault.
Inspection inspect_bundle(const std::filesystem::path& path, const InspectProgress& progress);

Inspection inspect_mat(const std::filesystem::path& path, const InspectProgress& progress);
Inspection inspect_safetensors(const std::filesystem::path& path, const InspectProgress& progress);
Inspection inspect_video_file(const std::filesystem::path& path, const InspectProgress& progress);
Inspection inspect_clips_folder(const std::filesystem::path& path, const InspectProgress& progress);

}  // namespace roundtrip

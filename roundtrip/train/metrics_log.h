#pragma once

#include <cstdint>
#include <filesystem>

#include <nlohmann/json.hpp>

namespace roundtrip {

/// Measurements of a run as JSON lines, one object each with a "stage" and a "step". Every line is
/// written at once, so that a killed run leaves whole lines.
class MetricsLog {
 public:
  explicit MetricsLog(std::filesystem::path path);

  /// Removes lines of `stage` after `step`, and half a line at the end: a resumed run writes them
  /// again.
  void rewind(const std::string& stage, int64_t step) const;

  void write(const nlohmann::ordered_json& line) const;

 private:
  std::filesystem::path path_;
};

}  // namespace roundtrip

#include "roundtrip/evaluation/training_log.h"

#include <charconv>
#include <sstream>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "roundtrip/base/atomic_file.h"
#include "roundtrip/base/error.h"

namespace roundtrip {
namespace {

using Entry = nlohmann::ordered_json;

std::vector<Entry> read_entries(const std::filesystem::path& path) {
  std::vector<Entry> all;
  std::istringstream lines(read_file(path));
  int64_t count = 0;
  for (std::string line; std::getline(lines, line);) {
    ++count;
    all.push_back(Entry::parse(line, nullptr, /*allow_exceptions=*/false));
    if (all.back().is_object()) continue;
    throw Error("evaluation", fmt::format("{}, line {}: expected a JSON object, found none",
                                     path.string(), count));
  }
  return all;
}

// "forward_16": 0.64 and so on, by depth.
std::map<int64_t, double> by_depth(const Entry& entry, std::string_view prefix) {
  std::map<int64_t, double> errors;
  for (const auto& [key, value] : entry.items()) {
    if (!key.starts_with(prefix) || !value.is_number()) continue;
    int64_t depth = 0;
    const char* end = key.data() + key.size();
    if (std::from_chars(key.data() + prefix.size(), end, depth).ptr == end) errors[depth] = value;
  }
  return errors;
}

}  // namespace

std::vector<LoggedValidation> read_validations(const std::filesystem::path& path) {
  std::vector<LoggedValidation> all;
  for (const Entry& entry : read_entries(path)) {
    if (!entry.contains("denoising_loss") || !entry.contains("score")) continue;
    all.push_back({.stage = entry.value("stage", ""),
                   .step = entry.value("step", int64_t{0}),
                   .denoising_loss = entry.value("denoising_loss", 0.0),
                   .step_forward = entry.value("step_forward", 0.0),
                   .step_backward = entry.value("step_backward", 0.0),
                   .score = entry.value("score", 0.0),
                   .forward = by_depth(entry, "forward_"),
                   .backward = by_depth(entry, "backward_")});
  }
  return all;
}

std::vector<std::pair<std::string, double>> read_codec_errors(const std::filesystem::path& path) {
  constexpr std::string_view kField = "vrmse_";
  std::vector<std::pair<std::string, double>> best;
  for (const Entry& entry : read_entries(path)) {
    if (entry.value("stage", "") != "codec" || !entry.contains("best_step")) continue;
    if (entry.value("best_step", int64_t{-1}) != entry.value("step", int64_t{0})) continue;
    best.clear();
    for (const auto& [key, value] : entry.items()) {
      if (key.starts_with(kField) && value.is_number()) {
        best.emplace_back(key.substr(kField.size()), value.get<double>());
      }
    }
  }
  return best;
}

}  // namespace roundtrip

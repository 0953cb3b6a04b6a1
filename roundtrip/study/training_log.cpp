#include "roundtrip/study/training_log.h"

#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "roundtrip/base/atomic_file.h"
#include "roundtrip/base/error.h"

namespace roundtrip {

std::vector<LoggedValidation> read_validations(const std::filesystem::path& path) {
  std::vector<LoggedValidation> all;
  std::istringstream lines(read_file(path));
  int64_t count = 0;
  for (std::string line; std::getline(lines, line);) {
    ++count;
    const auto entry = nlohmann::json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (!entry.is_object()) {
      throw Error("study", fmt::format("{}, line {}: expected a JSON object, found none",
                                       path.string(), count));
    }
    if (!entry.contains("denoising_loss") || !entry.contains("score")) continue;
    all.push_back({.stage = entry.value("stage", ""),
                   .step = entry.value("step", int64_t{0}),
                   .denoising_loss = entry.value("denoising_loss", 0.0),
                   .step_forward = entry.value("step_forward", 0.0),
                   .step_backward = entry.value("step_backward", 0.0),
                   .score = entry.value("score", 0.0)});
  }
  return all;
}

}  // namespace roundtrip

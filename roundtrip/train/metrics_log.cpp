#include "roundtrip/train/metrics_log.h"

#include <cerrno>
#include <cstring>
#include <sstream>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "roundtrip/base/atomic_file.h"
#include "roundtrip/base/error.h"
#include "roundtrip/base/json_text.h"

namespace roundtrip {

MetricsLog::MetricsLog(std::filesystem::path path) : path_(std::move(path)) {}

void MetricsLog::rewind(const std::string& stage, int64_t step) const {
  if (!std::filesystem::exists(path_)) return;
  std::istringstream lines(read_file(path_));
  std::string kept;
  for (std::string line; std::getline(lines, line);) {
    const auto value = read_json(line);
    if (!value.is_object()) continue;
    if (value.value("stage", "") == stage && value.value("step", int64_t{0}) > step) continue;
    kept += line + "\n";
  }
  write_file(path_, kept);
}

void MetricsLog::write(const nlohmann::ordered_json& line) const {
  const std::string text = json_text(line) + "\n";
  const int file = ::open(path_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
  const bool written =
      file >= 0 && ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  const int failure = errno;
  if (file >= 0) ::close(file);
  if (written) return;
  throw Error("file",
              fmt::format("{}: cannot be written: {}", path_.string(), std::strerror(failure)));
}

}  // namespace roundtrip

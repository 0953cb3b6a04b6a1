#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace roundtrip {

/// One validation of a denoiser during its training.
struct LoggedValidation {
  std::string stage = {};  // "denoiser", "finetune"
  int64_t step = 0;
  double denoising_loss = 0;
  double step_forward = 0, step_backward = 0;  // one sampled step over repeating a frame
  double score = 0;                            // mean log error ratio of rollouts
  /// Errors of rollouts over repeating a frame, by depth.
  std::map<int64_t, double> forward = {}, backward = {};
};

/// The codec's VRMSE of each field at its best validation, in the log's order; none without one.
std::vector<std::pair<std::string, double>> read_codec_errors(const std::filesystem::path& path);

/// The validations in a training's metrics.jsonl, in its order; lines of other kinds are passed
/// over. An Error that names the line when one is not JSON.
std::vector<LoggedValidation> read_validations(const std::filesystem::path& path);

}  // namespace roundtrip

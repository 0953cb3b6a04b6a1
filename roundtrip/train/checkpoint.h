#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "roundtrip/nn/module_file.h"

namespace roundtrip {

/// Everything a training run needs to go on as if it had never stopped.
struct Checkpoint {
  int64_t step = 0;  // steps done
  NamedTensors tensors;
  std::map<std::string, std::string> notes;  // small things: best score, running sums
};

/// The checkpoints of one run in a folder of their own. A checkpoint is a safetensors file that
/// carries the SHA-256 of its contents; the newest two are kept.
class CheckpointFolder {
 public:
  explicit CheckpointFolder(std::filesystem::path folder);

  /// Writes a checkpoint, whole or not at all, then removes all but the newest two up to its step.
  void write(const Checkpoint& checkpoint) const;

  /// The newest checkpoint that is whole. A damaged one is passed over, and `log` says which and
  /// why. Nothing when there is none.
  std::optional<Checkpoint> read_newest(const std::function<void(const std::string&)>& log) const;

  /// The file of the newest checkpoint up to a step, whole or not; empty when there is none.
  std::filesystem::path newest(int64_t up_to) const;

 private:
  std::filesystem::path folder_;
};

/// Doubles as text that gives the same bits back.
std::string exact_text(double value);
double exact_value(const std::string& text);

}  // namespace roundtrip

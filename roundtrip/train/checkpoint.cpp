#include "roundtrip/train/checkpoint.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/types.h>

#include "roundtrip/base/atomic_file.h"
#include "roundtrip/base/error.h"
#include "roundtrip/base/sha256.h"

namespace roundtrip {
namespace {

constexpr std::string_view kPrefix = "checkpoint-";
constexpr std::string_view kExtension = ".safetensors";
constexpr size_t kKept = 2;
constexpr const char* kDigest = "sha256";
constexpr const char* kStep = "step";

// Covers names, types, shapes, bytes and notes: a file changed anywhere has another digest.
std::string digest_of(const NamedTensors& tensors,
                      const std::map<std::string, std::string>& notes) {
  Sha256 sha;
  for (const auto& [key, value] : notes) {
    if (key != kDigest) sha.add(fmt::format("{}={}\n", key, value));
  }
  for (const auto& [name, tensor] : tensors) {
    sha.add(fmt::format("{} {} {}\n", name, toString(tensor.scalar_type()),
                        fmt::join(tensor.sizes(), ",")));
    const torch::Tensor whole = tensor.cpu().contiguous();
    sha.add(std::span(static_cast<const std::byte*>(whole.data_ptr()), whole.nbytes()));
  }
  return sha.digest();
}

// The step in a checkpoint's file name; nothing for other files.
std::optional<int64_t> step_of(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  if (!name.starts_with(kPrefix) || !name.ends_with(kExtension)) return std::nullopt;
  int64_t step = 0;
  const char* end = name.data() + name.size() - kExtension.size();
  const auto [stop, error] = std::from_chars(name.data() + kPrefix.size(), end, step);
  return error == std::errc() && stop == end ? std::optional(step) : std::nullopt;
}

// Newest first.
std::vector<std::filesystem::path> checkpoints_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> paths;
  if (!std::filesystem::is_directory(folder)) return paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (step_of(entry.path())) paths.push_back(entry.path());
  }
  std::ranges::sort(paths, [](const auto& a, const auto& b) { return step_of(a) > step_of(b); });
  return paths;
}

Checkpoint read_checked(const std::filesystem::path& path) {
  const SafetensorsFile file(path);
  Checkpoint checkpoint;
  checkpoint.notes = file.metadata();
  for (const TensorInfo& info : file.tensors()) {
    checkpoint.tensors[info.name] = read_tensor(file, info.name);
  }
  if (checkpoint.notes[kDigest] != digest_of(checkpoint.tensors, checkpoint.notes)) {
    throw Error("checkpoint",
                fmt::format("{}: its checksum does not fit its contents", path.string()));
  }
  checkpoint.step = std::strtoll(checkpoint.notes[kStep].c_str(), nullptr, 10);
  checkpoint.notes.erase(kDigest);
  checkpoint.notes.erase(kStep);
  return checkpoint;
}

}  // namespace

CheckpointFolder::CheckpointFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}

void CheckpointFolder::write(const Checkpoint& checkpoint) const {
  auto notes = checkpoint.notes;
  notes[kStep] = fmt::format("{}", checkpoint.step);
  notes[kDigest] = digest_of(checkpoint.tensors, notes);
  // Steps are padded so that a listing is in order of time.
  write_tensors(folder_ / fmt::format("{}{:09}{}", kPrefix, checkpoint.step, kExtension),
                checkpoint.tensors, notes);
  size_t kept = 0;
  for (const auto& path : checkpoints_in(folder_)) {
    // Later steps are of files that could not be read when this run went on.
    const bool later = step_of(path) > checkpoint.step;
    if (later || ++kept > kKept) std::filesystem::remove(path);
  }
}

std::optional<Checkpoint> CheckpointFolder::read_newest(
    const std::function<void(const std::string&)>& log) const {
  for (const auto& path : checkpoints_in(folder_)) {
    try {
      return read_checked(path);
    } catch (const Error& error) {
      log(fmt::format("{}; going back to the checkpoint before it", error.what()));
    }
  }
  return std::nullopt;
}

std::filesystem::path CheckpointFolder::newest(int64_t up_to) const {
  for (const auto& path : checkpoints_in(folder_)) {
    if (step_of(path) <= up_to) return path;
  }
  return {};
}

std::string exact_text(double value) { return fmt::format("{:a}", value); }

double exact_value(const std::string& text) { return std::strtod(text.c_str(), nullptr); }

}  // namespace roundtrip

// MAT files, tensor files and videos for `inspect`.
#include <map>

#include <fmt/format.h>

#include "roundtrip/base/interrupt.h"
#include "roundtrip/cli/inspection.h"
#include "roundtrip/formats/clips.h"
#include "roundtrip/formats/safetensors.h"
#include "roundtrip/formats/video_reader.h"

namespace roundtrip {
namespace {

namespace fs = std::filesystem;

bool is_floating(TensorType type) {
  return type == TensorType::f16 || type == TensorType::bf16 || type == TensorType::f32 ||
         type == TensorType::f64;
}

void describe_video(const VideoInfo& info, Inspection& found) {
  found.facts.emplace_back("size", fmt::format("{}x{}", info.width, info.height));
  found.facts.emplace_back("rate", fmt::format("{:.4g} frames/s", info.rate));
  found.facts.emplace_back("duration", fmt::format("{:.4g} s", info.duration));
  found.facts.emplace_back("codec", info.codec);
}

}  // namespace

Inspection inspect_safetensors(const fs::path& path, const InspectProgress& progress) {
  const SafetensorsFile file(path);
  Inspection found{.kind = "safetensors file", .facts = {}, .arrays = {}};
  int64_t parameters = 0;
  int64_t done = 0;
  const auto total = static_cast<int64_t>(file.tensors().size());
  for (const TensorInfo& tensor : file.tensors()) {
    stop_if_interrupted();
    ArrayFinding array{.name = tensor.name,
                       .type = std::string(type_name(tensor.type)),
                       .shape = tensor.shape,
                       .values = {}};
    if (is_floating(tensor.type)) {
      std::vector<float> values(static_cast<size_t>(tensor.elements()));
      file.read_floats(tensor, values);
      array.values.add(values);
    }
    found.arrays.push_back(std::move(array));
    parameters += tensor.elements();
    progress(++done, total);
  }
  found.facts.emplace_back("tensors", fmt::format("{}", total));
  found.facts.emplace_back("elements", fmt::format("{}", parameters));
  for (const auto& [name, value] : file.metadata()) found.facts.emplace_back(name, value);
  return found;
}

Inspection inspect_video_file(const fs::path& path, const InspectProgress& progress) {
  VideoReader video(path);
  Inspection found{.kind = "video", .facts = {}, .arrays = {}};
  describe_video(video.info(), found);
  // Containers guess; decoding counts, and finds what does not decode.
  Image frame;
  int64_t frames = 0;
  while (video.next(frame)) {
    stop_if_interrupted();
    progress(++frames, std::max(frames, video.info().frames));
  }
  found.facts.emplace_back("frames", fmt::format("{}, all decode", frames));
  return found;
}

Inspection inspect_clips_folder(const fs::path& path, const InspectProgress&) {
  const std::vector<Clip> clips = read_clips(path);
  std::map<std::string, int64_t> identities;
  for (const Clip& clip : clips) ++identities[clip.identity];
  Inspection found{.kind = "folder of clips", .facts = {}, .arrays = {}};
  found.facts.emplace_back("clips", fmt::format("{}", clips.size()));
  found.facts.emplace_back("identities", fmt::format("{}", identities.size()));
  if (!clips.empty()) {
    found.facts.emplace_back("first clip", clips.front().file);
    describe_video(inspect_video(path / clips.front().file), found);
  }
  return found;
}

}  // namespace roundtrip

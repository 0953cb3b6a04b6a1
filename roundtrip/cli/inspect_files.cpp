// MAT files, tensor files and videos for `inspect`.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "roundtrip/base/interrupt.h"
#include "roundtrip/cli/inspection.h"
#include "roundtrip/io/clips.h"
#include "roundtrip/io/fno_mat.h"
#include "roundtrip/io/safetensors.h"
#include "roundtrip/io/video_reader.h"

namespace roundtrip {
namespace {

namespace fs = std::filesystem;

// Our name of MATLAB's class.
std::string float_name(const MatVariable& variable) {
  return variable.type == "double" ? "float64" : "float32";
}

void describe_video(const VideoInfo& info, Inspection& found) {
  found.facts.emplace_back("size", fmt::format("{}x{}", info.width, info.height));
  found.facts.emplace_back("rate", fmt::format("{:.4g} frames/s", info.rate));
  found.facts.emplace_back("duration", fmt::format("{:.4g} s", info.duration));
  found.facts.emplace_back("codec", info.codec);
  found.data.update({{"width", info.width},
                     {"height", info.height},
                     {"rate", info.rate},
                     {"duration", info.duration},
                     {"codec", info.codec}});
}

void describe_splits(const std::map<std::string, int64_t>& counts, Inspection& found) {
  std::string text;
  for (const std::string_view name : kClipSplits) {
    const auto split = counts.find(std::string(name));
    if (split == counts.end()) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, split->second);
    found.data["splits"][split->first] = split->second;
  }
  found.facts.emplace_back("splits", text);
}

}  // namespace

Inspection inspect_mat(const fs::path& path, const InspectProgress& progress) {
  const FnoMatReader file(path);
  Inspection found{.kind = "FNO MAT file", .facts = {}};
  const std::vector<double>& times = file.times();
  found.facts.emplace_back("trajectories", fmt::format("{}", file.trajectories()));
  found.facts.emplace_back("time", fmt::format("{} frames, {:.6g} to {:.6g}", file.frames(),
                                               times.front(), times.back()));
  found.data.update(
      {{"trajectories", file.trajectories()}, {"frames", file.frames()}, {"times", times}});
  const int64_t points = file.height() * file.width();
  ArrayFinding solution{.name = "u",
                        .type = float_name(file.solution()),
                        .shape = {file.trajectories(), file.height(), file.width(), file.frames()},
                        .values = {},
                        .as_float32 = file.solution().type == "double"};
  ArrayFinding initial{.name = "a",
                       .type = file.has_initial() ? float_name(*file.initial()) : "",
                       .shape = {file.trajectories(), file.height(), file.width()},
                       .values = {},
                       .as_float32 = file.has_initial() && file.initial()->type == "double"};
  // Few large windows, as the reader asks for: about 64 MB each.
  const int64_t window = std::max<int64_t>(1, (int64_t{1} << 24) / (points * file.frames()));
  std::vector<float> values;
  for (int64_t first = 0; first < file.trajectories(); first += window) {
    stop_if_interrupted();
    const int64_t count = std::min(window, file.trajectories() - first);
    values.resize(static_cast<size_t>(count * points * file.frames()));
    file.read(first, count, values);
    solution.values.add(values);
    if (file.has_initial()) {
      values.resize(static_cast<size_t>(count * points));
      file.read_initial(first, count, values);
      initial.values.add(values);
    }
    progress((first + count) * file.frames(), file.trajectories() * file.frames());
  }
  found.arrays.push_back(std::move(solution));
  if (file.has_initial()) found.arrays.push_back(std::move(initial));
  return found;
}

Inspection inspect_safetensors(const fs::path& path, const InspectProgress& progress) {
  const SafetensorsFile file(path);
  Inspection found{.kind = "safetensors file", .facts = {}};
  int64_t parameters = 0;
  int64_t done = 0;
  const auto total = static_cast<int64_t>(file.tensors().size());
  constexpr int64_t kBlock = int64_t{1} << 22;  // numbers in memory
  std::vector<double> values;
  for (const TensorInfo& tensor : file.tensors()) {
    stop_if_interrupted();
    ArrayFinding array{.name = tensor.name,
                       .type = std::string(type_name(tensor.type)),
                       .shape = tensor.shape,
                       .values = {}};
    if (SafetensorsFile::has_numbers(tensor.type)) {
      for (int64_t first = 0; first < tensor.elements(); first += kBlock) {
        stop_if_interrupted();
        values.resize(static_cast<size_t>(std::min(kBlock, tensor.elements() - first)));
        file.read_numbers(tensor, first, values);
        array.values.add(values);
      }
    }
    found.arrays.push_back(std::move(array));
    parameters += tensor.elements();
    progress(++done, total);
  }
  found.facts.emplace_back("tensors", fmt::format("{}", total));
  found.facts.emplace_back("elements", fmt::format("{}", parameters));
  for (const auto& [name, value] : file.metadata()) {
    found.facts.emplace_back("metadata " + name, value);
  }
  found.data.update({{"tensors", total}, {"elements", parameters}, {"metadata", file.metadata()}});
  return found;
}

Inspection inspect_video_file(const fs::path& path, const InspectProgress& progress) {
  VideoReader video(path);
  Inspection found{.kind = "video", .facts = {}};
  describe_video(video.info(), found);
  // Containers guess; decoding counts, and finds what does not decode.
  Image frame;
  int64_t frames = 0;
  while (video.next(frame)) {
    stop_if_interrupted();
    progress(++frames, std::max(frames, video.info().frames));
  }
  found.facts.emplace_back("frames", fmt::format("{}, all decode", frames));
  found.data["frames"] = frames;
  return found;
}

Inspection inspect_clips_folder(const fs::path& path, const InspectProgress& progress) {
  const std::vector<Clip> clips = read_clips(path);
  std::map<std::string, int64_t> identities, splits;
  for (const Clip& clip : clips) {
    ++identities[clip.identity];
    ++splits[clip.split];
  }
  Inspection found{.kind = "folder of clips", .facts = {}};
  found.facts.emplace_back("clips", fmt::format("{}", clips.size()));
  found.facts.emplace_back("identities", fmt::format("{}", identities.size()));
  found.data.update({{"clips", clips.size()}, {"identities", identities.size()}});
  if (!clips.empty() && !splits.contains("")) describe_splits(splits, found);
  double duration = 0;
  for (size_t i = 0; i < clips.size(); ++i) {
    stop_if_interrupted();
    // An Error names the first clip that does not open.
    const VideoInfo info = inspect_video(path / clips[i].file);
    duration += info.duration;
    if (i == 0) {
      found.facts.emplace_back("first clip", clips.front().file);
      found.data["first_clip"] = clips.front().file;
      describe_video(info, found);
    }
    progress(static_cast<int64_t>(i + 1), static_cast<int64_t>(clips.size()));
  }
  found.facts.emplace_back("total duration", fmt::format("{:.4g} s", duration));
  found.data["total_duration"] = duration;
  return found;
}

}  // namespace roundtrip

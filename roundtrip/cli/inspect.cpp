#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "roundtrip/base/error.h"
#include "roundtrip/base/interrupt.h"
#include "roundtrip/base/progress.h"
#include "roundtrip/cli/command.h"
#include "roundtrip/cli/field_picture.h"
#include "roundtrip/cli/inspection.h"
#include "roundtrip/cli/output.h"
#include "roundtrip/formats/well_folder.h"

namespace roundtrip {
namespace {

namespace fs = std::filesystem;

/// One kind of thing `inspect` knows, chosen by its extension; folders by what lies in them.
struct KindRow {
  std::vector<std::string> extensions;
  Inspection (*inspect)(const fs::path&, const InspectProgress&);
};

const std::vector<KindRow>& kinds() {
  static const std::vector<KindRow> rows = {
      {{".hdf5", ".h5"}, inspect_well_file},
      {{".yaml", ".yml"}, inspect_well_stats},
      {{".mat"}, inspect_mat},
      {{".safetensors"}, inspect_safetensors},
      {{".mp4", ".mov", ".mkv", ".avi", ".webm", ".m4v", ".mpg"}, inspect_video_file},
  };
  return rows;
}

Inspection inspect_path(const fs::path& path, const InspectProgress& progress) {
  if (!fs::exists(path))
    throw Error("inspect", fmt::format("{}: no such file or folder", path.string()));
  if (fs::is_directory(path)) {
    if (fs::is_regular_file(path / "model.toml")) return inspect_bundle(path, progress);
    return fs::is_regular_file(path / "clips.csv") ? inspect_clips_folder(path, progress)
                                                   : inspect_well_folder(path, progress);
  }
  // Opening a pipe would wait for ever for somebody to write into it.
  if (!fs::is_regular_file(path)) {
    throw Error("inspect", fmt::format("{}: expected a regular file or a folder, found a pipe, "
                                       "socket or device",
                                       path.string()));
  }
  std::vector<std::string> known;
  for (const KindRow& row : kinds()) {
    if (std::find(row.extensions.begin(), row.extensions.end(), path.extension()) !=
        row.extensions.end()) {
      return row.inspect(path, progress);
    }
    known.insert(known.end(), row.extensions.begin(), row.extensions.end());
  }
  throw Error("inspect", fmt::format("{}: not a kind of file I know; expected {}, or a folder",
                                     path.string(), fmt::join(known, " ")));
}

nlohmann::ordered_json to_row(const ArrayFinding& array) {
  return {{"name", array.name},
          {"type", array.type},
          {"shape", array.shape},
          {"min", array.values.low()},
          {"max", array.values.high()},
          {"mean", array.values.mean()},
          {"std", array.values.std_deviation()},
          {"not_finite", array.values.not_finite()}};
}

void print_json(const std::string& path, const Inspection& found) {
  nlohmann::ordered_json data = {{"path", path}, {"kind", found.kind}};
  for (const auto& [name, value] : found.facts) data[name] = value;
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const ArrayFinding& array : found.arrays) rows.push_back(to_row(array));
  print_json(Provenance{.config = {}, .seed = 0, .data = data}, rows);
}

void print_arrays(const std::vector<ArrayFinding>& arrays) {
  int64_t broken = 0;
  std::vector<std::vector<std::string>> table = {
      {"NAME", "TYPE", "SHAPE", "MIN", "MAX", "MEAN", "STD"}};
  for (const ArrayFinding& array : arrays) {
    const ValueSummary& values = array.values;
    table.push_back({array.name, array.type, fmt::format("{}", fmt::join(array.shape, "x")),
                     fmt::format("{:.5g}", values.low()), fmt::format("{:.5g}", values.high()),
                     fmt::format("{:.5g}", values.mean()),
                     fmt::format("{:.5g}", values.std_deviation())});
    if (values.not_finite() > 0) {
      table.back().push_back(fmt::format("{} NaN or infinite!", values.not_finite()));
    }
    broken += values.not_finite();
  }
  print_table(table);
  fmt::print("{}\n", broken == 0 ? "All values are finite."
                                 : fmt::format("{} value(s) are NaN or infinite.", broken));
}

// A dataset's folder stands for its first file.
std::string file_to_draw(const fs::path& path) {
  if (!fs::is_directory(path)) return path.string();
  for (const std::string& split : kWellSplits) {
    const std::vector<fs::path> files = well_files(path, split);
    if (!files.empty()) return files.front().string();
  }
  throw Error("inspect",
              fmt::format("--picture {}: expected Well files in it, found none", path.string()));
}

void run(const std::string& path, const PictureRequest& picture, bool json) {
  catch_interrupts();
  if (!picture.to.empty() && fs::exists(picture.to)) {
    throw Error("inspect", fmt::format("--picture {}: exists already; name another file or remove "
                                       "it",
                                       picture.to));
  }
  std::unique_ptr<Progress> bar;
  const Inspection found = inspect_path(path, [&](int64_t done, int64_t total) {
    if (!bar) bar = std::make_unique<Progress>("reading", "frames", total, progress_on_stderr());
    bar->advance_to(done);
  });
  bar.reset();
  std::string drawn;
  if (!picture.to.empty()) {
    const std::string file = file_to_draw(path);
    drawn = fmt::format("{}: {} of {}", picture.to, draw_well_frame(file, picture), file);
  }
  if (json) return print_json(path, found);
  fmt::print("{}: {}\n", path, found.kind);
  std::vector<std::vector<std::string>> facts;
  for (const auto& [name, value] : found.facts) facts.push_back({"  " + name, value});
  print_table(facts);
  if (!found.arrays.empty()) {
    fmt::print("\n");
    print_arrays(found.arrays);
  }
  if (!drawn.empty()) fmt::print("\nPicture: {}\n", drawn);
}

}  // namespace

Action declare_inspect(Options& options) {
  auto path = std::make_shared<std::string>();
  auto json = std::make_shared<bool>(false);
  options.add("path", *path, "a data file, a video, a tensor file, or a dataset's folder",
              Options::Need::required);
  constexpr int64_t kMost = int64_t{1} << 40;
  auto picture = std::make_shared<PictureRequest>();
  options.add("--picture", picture->to, "draw the fields of one frame of a Well file to this PNG");
  options.add("--trajectory", picture->trajectory, "that is drawn, in the file", 0, kMost);
  options.add("--frame", picture->frame, "that is drawn, from 0; -1 is the last", -1, kMost);
  options.flag("--json", *json, "print one JSON object");
  return [path, picture, json] { run(*path, *picture, *json); };
}

}  // namespace roundtrip

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "roundtrip/base/error.h"
#include "roundtrip/base/interrupt.h"
#include "roundtrip/base/progress.h"
#include "roundtrip/cli/command.h"
#include "roundtrip/cli/field_picture.h"
#include "roundtrip/cli/inspect_kind.h"
#include "roundtrip/cli/output.h"
#include "roundtrip/io/well_folder.h"

namespace roundtrip {
namespace {

namespace fs = std::filesystem;

nlohmann::ordered_json to_row(const ArrayFinding& array) {
  nlohmann::ordered_json row = {{"name", array.name},
                                {"type", array.type},
                                {"shape", array.shape},
                                {"min", array.values.low()},
                                {"max", array.values.high()},
                                {"mean", array.values.mean()},
                                {"std", array.values.std_deviation()},
                                {"not_finite", array.values.not_finite()}};
  if (array.as_float32) row["read_as"] = "float32";
  return row;
}

// What was drawn of which file, where; nothing without a request.
struct Picture {
  std::string to, file;
  DrawnFrame frame;
};

nlohmann::ordered_json to_json(const Picture& picture) {
  return {{"path", picture.to},
          {"file", picture.file},
          {"trajectory", picture.frame.trajectory},
          {"frame", picture.frame.frame},
          {"time", picture.frame.time}};
}

void print_json(const std::string& path, const Inspection& found,
                const std::optional<Picture>& picture) {
  nlohmann::ordered_json data = {{"path", path}, {"kind", found.kind}};
  data.update(found.data);
  if (picture) data["picture"] = to_json(*picture);
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const ArrayFinding& array : found.arrays) rows.push_back(to_row(array));
  print_json(Provenance{.config = {}, .seed = 0, .data = data}, rows);
}

// Nothing that can be said of no values is shown as such, not as a value of theirs.
std::string shown_number(double value) {
  return std::isnan(value) ? "-" : fmt::format("{:.5g}", value);
}

const char* not_finite_words(bool as_float32) {
  return as_float32 ? "NaN, infinite or beyond float32" : "NaN or infinite";
}

void print_arrays(const std::vector<ArrayFinding>& arrays) {
  int64_t broken = 0;
  bool as_float32 = false, unread = false;
  std::vector<std::vector<std::string>> table = {
      {"NAME", "TYPE", "SHAPE", "MIN", "MAX", "MEAN", "STD"}};
  for (const ArrayFinding& array : arrays) {
    const ValueSummary& values = array.values;
    table.push_back({array.name, array.type, fmt::format("{}", fmt::join(array.shape, "x")),
                     shown_number(values.low()), shown_number(values.high()),
                     shown_number(values.mean()), shown_number(values.std_deviation())});
    unread = unread || (values.count() == 0 && !std::ranges::count(array.shape, 0));
    if (values.not_finite() == 0) continue;
    table.back().push_back(
        fmt::format("{} {}!", values.not_finite(), not_finite_words(array.as_float32)));
    broken += values.not_finite();
    as_float32 = as_float32 || array.as_float32;
  }
  print_table(table);
  fmt::print("{}\n", broken > 0
                         ? fmt::format("{} value(s) are {}.", broken, not_finite_words(as_float32))
                     : unread ? "All values that were read are finite."
                              : "All values are finite.");
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

// What can be told before everything is read is told at once.
std::string checked_file_to_draw(const fs::path& path, const InspectKind& kind,
                                 const PictureRequest& request) {
  if (!kind.drawable) {
    throw Error("inspect",
                fmt::format("--picture: expected a Well file or dataset, found {} at {}; "
                            "pictures are drawn of those only",
                            kind.name, path.string()));
  }
  if (fs::exists(fs::symlink_status(request.to))) {
    throw Error("inspect", fmt::format("--picture {}: exists already; name another file or remove "
                                       "it",
                                       request.to));
  }
  const std::string file = file_to_draw(path);
  check_picture(file, request);
  return file;
}

void print_text(const std::string& path, const Inspection& found,
                const std::optional<Picture>& picture) {
  fmt::print("{}: {}\n", path, found.kind);
  std::vector<std::vector<std::string>> facts;
  for (const auto& [name, value] : found.facts) facts.push_back({"  " + name, value});
  print_table(facts);
  if (!found.arrays.empty()) {
    fmt::print("\n");
    print_arrays(found.arrays);
  }
  if (picture) {
    fmt::print("\nPicture: {}: {} of {}\n", picture->to, picture->frame.shown(), picture->file);
  }
}

void run(const std::string& path, const PictureRequest& request, bool json) {
  catch_interrupts();
  const InspectKind& kind = kind_at(path);
  std::optional<Picture> picture;
  if (!request.to.empty()) {
    picture =
        Picture{.to = request.to, .file = checked_file_to_draw(path, kind, request), .frame = {}};
  }
  std::unique_ptr<Progress> bar;
  const Inspection found = kind.inspect(path, [&](int64_t done, int64_t total) {
    if (!bar) bar = std::make_unique<Progress>("reading", "frames", total, progress_on_stderr());
    bar->advance_to(done);
  });
  bar.reset();
  if (picture) picture->frame = draw_well_frame(picture->file, request);
  json ? print_json(path, found, picture) : print_text(path, found, picture);
  if (!found.fault.empty()) throw Error("inspect", fmt::format("{}: {}", path, found.fault));
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
  for (const char* detail : {"--trajectory", "--frame"}) options.needs(detail, "--picture");
  options.flag("--json", *json, "print one JSON object");
  return [path, picture, json] { run(*path, *picture, *json); };
}

}  // namespace roundtrip

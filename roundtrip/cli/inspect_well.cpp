#include <algorithm>
#include <map>
#include <set>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "roundtrip/base/error.h"
#include "roundtrip/base/interrupt.h"
#include "roundtrip/base/json_text.h"
#include "roundtrip/cli/inspection.h"
#include "roundtrip/formats/well_folder.h"
#include "roundtrip/formats/well_stats.h"

namespace roundtrip {
namespace {

namespace fs = std::filesystem;

std::string axis_range(const WellAxis& axis) {
  if (axis.coordinates.empty()) return "empty";
  return fmt::format("{} points, {:.6g} to {:.6g}", axis.size(), axis.coordinates.front(),
                     axis.coordinates.back());
}

// A value of a JSON object as text; "unknown" when it is missing or no single value.
std::string text_of(const nlohmann::json& object, const char* name) {
  if (!object.is_object() || !object.contains(name) || object[name].is_structured()) {
    return "unknown";
  }
  const nlohmann::json& value = object[name];
  return value.is_string() ? value.get<std::string>() : shown_json(value);
}

// The provenance note is JSON of a page; its seed and system are what one looks for. Other programs
// may use the name for anything.
std::string shortened(const std::string& name, const std::string& text) {
  if (name == "provenance") {
    const auto json = read_json(text);
    if (json.is_object() && json.contains("data") && json["data"].is_object()) {
      return fmt::format("system {}, seed {}, roundtrip {} ({})", text_of(json["data"], "system"),
                         text_of(json, "seed"), text_of(json, "version"), text_of(json, "commit"));
    }
  }
  return text.size() <= 100 ? text : text.substr(0, 97) + "...";
}

void describe_header(const WellHeader& header, Inspection& found) {
  found.facts.emplace_back("dataset", header.dataset_name);
  found.facts.emplace_back("grid", header.grid_type);
  found.facts.emplace_back("time", axis_range(header.time));
  for (const WellAxis& axis : header.axes) found.facts.emplace_back(axis.name, axis_range(axis));
  for (const WellBoundary& boundary : header.boundaries) {
    found.facts.emplace_back("boundary " + boundary.name, boundary.type);
  }
  for (const auto& [name, text] : header.notes) {
    found.facts.emplace_back(name, shortened(name, text));
  }
}

// The parameters of all files: one value where they agree, otherwise the range.
void describe_parameters(std::span<const WellReader* const> files, Inspection& found) {
  std::map<std::string, std::set<double>> values;
  for (const WellReader* file : files) {
    for (const auto& [name, value] : file->header().parameters) values[name].insert(value);
  }
  for (const auto& [name, seen] : values) {
    found.facts.emplace_back("parameter " + name,
                             seen.size() == 1
                                 ? fmt::format("{:.6g}", *seen.begin())
                                 : fmt::format("{} values, {:.6g} to {:.6g}", seen.size(),
                                               *seen.begin(), *seen.rbegin()));
  }
}

void describe_parameters(const std::vector<WellFolder>& splits, Inspection& found) {
  std::vector<const WellReader*> files;
  for (const WellFolder& split : splits) {
    for (const WellReader& file : split.files()) files.push_back(&file);
  }
  describe_parameters(files, found);
}

std::vector<ArrayFinding> empty_findings(const WellHeader& header, int64_t trajectories) {
  std::vector<ArrayFinding> findings;
  for (const std::string& channel : header.channel_names()) {
    std::vector<int64_t> shape = {trajectories, header.frames()};
    for (const WellAxis& axis : header.axes) shape.push_back(axis.size());
    findings.push_back({.name = channel, .type = "float32", .shape = shape, .values = {}});
  }
  return findings;
}

// One frame at a time: memory stays at a frame however large the file.
void summarise(const WellReader& file, std::vector<ArrayFinding>& findings,
               const std::function<void()>& advance) {
  const WellHeader& header = file.header();
  const auto points = static_cast<size_t>(header.points());
  std::vector<float> frame(static_cast<size_t>(header.frame_size()));
  for (int64_t trajectory = 0; trajectory < header.n_trajectories; ++trajectory) {
    for (int64_t t = 0; t < header.frames(); ++t) {
      stop_if_interrupted();
      file.read_window(trajectory, t, 1, frame);
      for (size_t channel = 0; channel < findings.size(); ++channel) {
        findings[channel].values.add(std::span(frame).subspan(channel * points, points));
      }
      advance();
    }
  }
}

}  // namespace

Inspection inspect_well_file(const fs::path& path, const InspectProgress& progress) {
  const WellReader file(path);
  const WellHeader& header = file.header();
  Inspection found{.kind = "Well file", .facts = {}, .arrays = {}};
  found.facts.emplace_back("trajectories", fmt::format("{}", header.n_trajectories));
  describe_header(header, found);
  const WellReader* const only[] = {&file};
  describe_parameters(only, found);
  found.arrays = empty_findings(header, header.n_trajectories);
  int64_t done = 0;
  const int64_t total = header.n_trajectories * header.frames();
  summarise(file, found.arrays, [&] { progress(++done, total); });
  return found;
}

Inspection inspect_well_folder(const fs::path& path, const InspectProgress& progress) {
  Inspection found{.kind = "Well dataset", .facts = {}, .arrays = {}};
  std::vector<WellFolder> splits;
  int64_t trajectories = 0;
  for (const std::string& split : kWellSplits) {
    const auto files = well_files(path, split);
    if (!files.empty()) {
      splits.emplace_back(path, split);
      check_same_layout(splits.front().files().front(), splits.back().files().front());
      trajectories += splits.back().n_trajectories();
    }
    found.facts.emplace_back(
        split, files.empty() ? "no files"
                             : fmt::format("{} trajectories in {} file(s)",
                                           splits.back().n_trajectories(), files.size()));
  }
  if (splits.empty()) {
    throw Error("inspect",
                fmt::format("{}: no data/train, data/valid or data/test with .hdf5 or "
                            ".h5 files; expected the folder of a Well dataset, the one that "
                            "holds data/",
                            path.string()));
  }
  found.facts.emplace_back("stats.yaml", fs::exists(path / "stats.yaml") ? "there"
                                         : well_files(path, "train").empty()
                                             ? "none, as there is no training data"
                                             : "missing");
  const WellHeader& header = splits.front().header();
  describe_header(header, found);
  describe_parameters(splits, found);
  found.arrays = empty_findings(header, trajectories);
  int64_t done = 0;
  for (const WellFolder& split : splits) {
    for (const WellReader& file : split.files()) {
      summarise(file, found.arrays, [&] { progress(++done, trajectories * header.frames()); });
    }
  }
  return found;
}

Inspection inspect_well_stats(const fs::path& path, const InspectProgress&) {
  Inspection found{.kind = "Well statistics", .facts = {}, .arrays = {}};
  for (const WellFieldStats& field : read_well_stats(path).fields) {
    found.facts.emplace_back(
        field.name,
        fmt::format("mean {:.4g}, std {:.4g}, std_delta {:.4g}", fmt::join(field.mean, " "),
                    fmt::join(field.std, " "), fmt::join(field.std_delta, " ")));
  }
  return found;
}

}  // namespace roundtrip

#include <algorithm>
#include <cmath>
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
#include "roundtrip/io/well_folder.h"
#include "roundtrip/io/well_stats.h"

namespace roundtrip {
namespace {

namespace fs = std::filesystem;

using Json = nlohmann::ordered_json;

std::string axis_range(const WellAxis& axis) {
  if (axis.coordinates.empty()) return "empty";
  const char* whose = axis.sample_varying && axis.time_varying
                          ? "; those of the first frame, each of each trajectory has its own"
                      : axis.sample_varying ? "; those of the first trajectory, each has its own"
                      : axis.time_varying   ? "; those of the first frame, each has its own"
                                            : "";
  return fmt::format("{} points, {:.6g} to {:.6g}{}", axis.size(), axis.coordinates.front(),
                     axis.coordinates.back(), whose);
}

Json axis_json(const WellAxis& axis) {
  return {{"name", axis.name},
          {"points", axis.size()},
          {"coordinates", axis.coordinates},
          {"sample_varying", axis.sample_varying},
          {"time_varying", axis.time_varying}};
}

// A value of a JSON object as text; "unknown" when it is missing or no single value.
std::string text_of(const Json& object, const char* name) {
  if (!object.is_object() || !object.contains(name) || object[name].is_structured()) {
    return "unknown";
  }
  const Json& value = object[name];
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
  found.data.update({{"dataset", header.dataset_name},
                     {"grid", header.grid_type},
                     {"frames", header.frames()},
                     {"times", header.time.coordinates},
                     {"times_vary", header.time.sample_varying},
                     {"axes", Json::array()},
                     {"boundaries", Json::object()},
                     {"notes", Json::object()}});
  for (const WellAxis& axis : header.axes) {
    found.facts.emplace_back(axis.name, axis_range(axis));
    found.data["axes"].push_back(axis_json(axis));
  }
  for (const WellBoundary& boundary : header.boundaries) {
    found.facts.emplace_back("boundary " + boundary.name, boundary.type);
    found.data["boundaries"][boundary.name] = boundary.type;
  }
  for (const auto& [name, text] : header.notes) {
    found.facts.emplace_back("note " + name, shortened(name, text));
    found.data["notes"][name] = text;
  }
}

// One value where all agree, otherwise the range.
void describe_numbers(const std::string& what,
                      const std::map<std::string, std::set<double>>& values, Inspection& found) {
  Json& members = found.data[what + "s"] = Json::object();
  for (const auto& [name, seen] : values) {
    const double low = *seen.begin(), high = *seen.rbegin();
    const bool one = seen.size() == 1;
    found.facts.emplace_back(what + " " + name, one ? fmt::format("{:.6g}", low)
                                                    : fmt::format("{} values, {:.6g} to {:.6g}",
                                                                  seen.size(), low, high));
    members[name] = one ? Json(low) : Json{{"values", seen.size()}, {"min", low}, {"max", high}};
  }
}

// The parameters and scalars of all files.
void describe_parameters(std::span<const WellReader* const> files, Inspection& found) {
  std::map<std::string, std::set<double>> parameters, scalars;
  for (const WellReader* file : files) {
    for (const auto& [name, value] : file->header().parameters) parameters[name].insert(value);
    for (const WellScalar& scalar : file->header().scalars) {
      // NaN has no place in an order; a scalar of nothing else is not shown.
      for (const double value : scalar.values) {
        if (!std::isnan(value)) scalars[scalar.name].insert(value);
      }
    }
  }
  describe_numbers("parameter", parameters, found);
  describe_numbers("scalar", scalars, found);
}

void describe_parameters(const std::vector<WellFolder>& splits, Inspection& found) {
  std::vector<const WellReader*> files;
  for (const WellFolder& split : splits) {
    for (const WellReader& file : split.files()) files.push_back(&file);
  }
  describe_parameters(files, found);
}

// Whether float32 holds every finite number of a type.
bool fits_float32(const std::string& type) { return type != "float64" && type != "float128"; }

// One finding per channel, with the shape its numbers are stored in: that of its field but for the
// components, and `trajectories` of them where it varies over those.
std::vector<ArrayFinding> empty_findings(const WellReader& file, int64_t trajectories) {
  const WellHeader& header = file.header();
  const std::vector<std::string> names = header.channel_names();
  std::vector<ArrayFinding> findings;
  for (size_t f = 0; f < header.fields.size(); ++f) {
    const WellField& field = header.fields[f];
    std::vector<int64_t> shape = header.stored_shape(field);
    shape.resize(shape.size() - static_cast<size_t>(field.order));
    if (field.sample_varying) shape.front() = trajectories;
    const std::string& type = file.stored_type(static_cast<int64_t>(f));
    for (int64_t c = 0; c < header.components(field); ++c) {
      findings.push_back({.name = names[findings.size()],
                          .type = type,
                          .shape = shape,
                          .values = {},
                          .as_float32 = !fits_float32(type)});
    }
  }
  return findings;
}

// Files of a dataset share their layout, but each may store its numbers in another type.
std::vector<ArrayFinding> findings_of(const std::vector<WellFolder>& splits, int64_t trajectories) {
  std::vector<ArrayFinding> findings;
  for (const WellFolder& split : splits) {
    for (const WellReader& file : split.files()) {
      std::vector<ArrayFinding> others = empty_findings(file, trajectories);
      if (findings.empty()) findings = others;
      for (size_t i = 0; i < findings.size(); ++i) {
        const std::string& type = others[i].type;
        if (findings[i].type.find(type) == std::string::npos) findings[i].type += "/" + type;
        findings[i].as_float32 = findings[i].as_float32 || others[i].as_float32;
      }
    }
  }
  return findings;
}

int64_t stored_frames(const WellReader& file, const WellField& field) {
  return field.time_varying ? file.header().frames() : 1;
}

// Frames of all fields that are stored, which is what progress counts.
int64_t all_stored_frames(const WellReader& file) {
  int64_t frames = 0;
  for (const WellField& field : file.header().fields) {
    frames +=
        stored_frames(file, field) * (field.sample_varying ? file.header().n_trajectories : 1);
  }
  return frames;
}

// Adds the stored values of one field of a trajectory, frame by frame, to the findings of its
// components. 64 MB are read at a time: a chunk of many frames is unpacked once, not once per
// frame, and memory does not grow with the file.
void summarise(const WellReader& file, int64_t field, int64_t trajectory,
               std::span<ArrayFinding> components, const std::function<void()>& advance) {
  constexpr int64_t kFloats = int64_t{1} << 24;
  const auto size = static_cast<size_t>(file.stored_frame_size(field));
  const size_t points = size / components.size();
  const int64_t frames = stored_frames(file, file.header().fields[static_cast<size_t>(field)]);
  const int64_t most = std::clamp<int64_t>(kFloats / static_cast<int64_t>(size), 1, frames);
  std::vector<float> window;
  for (int64_t first = 0; first < frames; first += most) {
    const int64_t count = std::min(most, frames - first);
    window.resize(static_cast<size_t>(count) * size);
    file.read_field(field, trajectory, first, count, window);
    for (size_t at = 0; at < window.size(); at += size) {
      stop_if_interrupted();
      for (size_t c = 0; c < components.size(); ++c) {
        components[c].values.add(std::span<const float>(window).subspan(at + c * points, points));
      }
      advance();
    }
  }
}

void summarise(const WellReader& file, std::vector<ArrayFinding>& findings,
               const std::function<void()>& advance) {
  const WellHeader& header = file.header();
  for (int64_t trajectory = 0; trajectory < header.n_trajectories; ++trajectory) {
    size_t channel = 0;
    for (size_t f = 0; f < header.fields.size(); ++f) {
      const WellField& field = header.fields[f];
      const auto components = static_cast<size_t>(header.components(field));
      if (field.sample_varying || trajectory == 0) {
        summarise(file, static_cast<int64_t>(f), trajectory,
                  std::span(findings).subspan(channel, components), advance);
      }
      channel += components;
    }
  }
}

}  // namespace

Inspection inspect_well_file(const fs::path& path, const InspectProgress& progress) {
  const WellReader file(path);
  const WellHeader& header = file.header();
  Inspection found{.kind = "Well file", .facts = {}};
  found.facts.emplace_back("trajectories", fmt::format("{}", header.n_trajectories));
  found.data["trajectories"] = header.n_trajectories;
  describe_header(header, found);
  const WellReader* const only[] = {&file};
  describe_parameters(only, found);
  found.arrays = empty_findings(file, header.n_trajectories);
  int64_t done = 0;
  const int64_t total = all_stored_frames(file);
  summarise(file, found.arrays, [&] { progress(++done, total); });
  return found;
}

Inspection inspect_well_folder(const fs::path& path, const InspectProgress& progress) {
  Inspection found{.kind = "Well dataset", .facts = {}};
  std::vector<WellFolder> splits;
  int64_t trajectories = 0;
  Json& sizes = found.data["splits"] = Json::object();
  for (const std::string& split : kWellSplits) {
    const auto files = well_files(path, split);
    if (!files.empty()) {
      splits.emplace_back(path, split);
      check_same_layout(splits.front().files().front(), splits.back().files().front());
      trajectories += splits.back().n_trajectories();
    }
    sizes[split] = {{"trajectories", files.empty() ? 0 : splits.back().n_trajectories()},
                    {"files", files.size()}};
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
  found.data["trajectories"] = trajectories;
  found.data["has_stats"] = fs::exists(path / "stats.yaml");
  describe_header(splits.front().header(), found);
  describe_parameters(splits, found);
  found.arrays = findings_of(splits, trajectories);
  int64_t done = 0, total = 0;
  for (const WellFolder& split : splits) {
    for (const WellReader& file : split.files()) total += all_stored_frames(file);
  }
  for (const WellFolder& split : splits) {
    for (const WellReader& file : split.files()) {
      summarise(file, found.arrays, [&] { progress(++done, total); });
    }
  }
  return found;
}

Inspection inspect_well_stats(const fs::path& path, const InspectProgress&) {
  Inspection found{.kind = "Well statistics", .facts = {}};
  Json& fields = found.data["fields"] = Json::object();
  for (const WellFieldStats& field : read_well_stats(path).fields) {
    found.facts.emplace_back(
        field.name,
        fmt::format("mean {:.4g}, std {:.4g}, std_delta {:.4g}", fmt::join(field.mean, " "),
                    fmt::join(field.std, " "), fmt::join(field.std_delta, " ")));
    fields[field.name] = {{"mean", field.mean},
                          {"std", field.std},
                          {"rms", field.rms},
                          {"mean_delta", field.mean_delta},
                          {"std_delta", field.std_delta},
                          {"rms_delta", field.rms_delta}};
  }
  return found;
}

}  // namespace roundtrip

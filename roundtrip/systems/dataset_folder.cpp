#include "roundtrip/systems/dataset_folder.h"

#include <algorithm>
#include <cstdlib>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "roundtrip/base/atomic_file.h"
#include "roundtrip/base/error.h"
#include "roundtrip/base/json_text.h"
#include "roundtrip/base/provenance.h"
#include "roundtrip/base/settings.h"
#include "roundtrip/io/well_reader.h"

namespace roundtrip {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kManifest = "dataset.json";
constexpr const char* kSplits[] = {"train", "valid", "test"};

Json parse_object(const std::string& text) {
  Json json = read_json(text);
  return json.is_object() ? json : Json::object();
}

// The first entry in which two objects differ, "resolution = 64, this run has 32", or "".
std::string first_difference(const nlohmann::json& found, const nlohmann::json& wanted) {
  if (!found.is_object() || !wanted.is_object()) return found == wanted ? "" : "no settings";
  for (const auto& [key, value] : wanted.items()) {
    const nlohmann::json other = found.value(key, nlohmann::json());
    if (other != value)
      return fmt::format("{} = {}, this run has {}", key, shown_json(other), shown_json(value));
  }
  return found.size() == wanted.size() ? "" : "further settings";
}

// What of system, sizes, settings and seed differs, or "". Settings are compared by value: comments
// and quotes may change from one version to the next.
std::string difference(const Json& found, const Json& wanted) {
  const auto settings = [](const Json& json) {
    const Json config = json.value("config", Json());
    return config.is_string() ? toml_values(config.get<std::string>()) : nlohmann::json();
  };
  const nlohmann::json other = found.value("data", Json());
  const nlohmann::json data = wanted.at("data");
  if (other.is_object() && other.value("system", nlohmann::json()) != data.at("system")) {
    return first_difference({{"system", other.value("system", nlohmann::json())}},
                            {{"system", data.at("system")}});
  }
  const std::string setting = first_difference(settings(found), settings(wanted));
  if (!setting.empty()) return setting;
  const std::string seed =
      first_difference({{"seed", found.value("seed", Json())}}, {{"seed", wanted.at("seed")}});
  return seed.empty() ? first_difference(other, data) : seed;
}

Json to_json(const DatasetOrigin& origin, Json data) {
  data["system"] = origin.system;
  return to_json(
      Provenance{.config = origin.settings, .seed = origin.seed, .data = std::move(data)});
}

Json manifest_of(const DatasetOrigin& origin) {
  const DatasetSize& size = origin.size;
  return to_json(origin, {{"train", size.train},
                          {"valid", size.valid},
                          {"test", size.test},
                          {"per_file", size.per_file}});
}

bool has_data_extension(const fs::path& path) {
  const std::string extension = path.extension();
  return extension == ".hdf5" || extension == ".h5" || extension == ".mp4";
}

std::string note_of(const WellHeader& header, const std::string& name) {
  for (const auto& [key, text] : header.notes) {
    if (key == name) return text;
  }
  return "";
}

// The name of the system in a manifest or a file's provenance, or "".
std::string system_in(const Json& json) {
  const Json data = json.value("data", Json());
  const Json name = data.is_object() ? data.value("system", Json()) : Json();
  return name.is_string() ? name.get<std::string>() : "";
}

// A clip has no place for provenance: its name has to do, "talking_head_000012.mp4".
bool named_like_a_clip_of(const std::string& system, const fs::path& path) {
  const std::string stem = path.stem();
  return stem.size() > system.size() + 1 && stem.starts_with(system + "_") &&
         std::all_of(stem.begin() + static_cast<std::ptrdiff_t>(system.size()) + 1, stem.end(),
                     [](char c) { return c >= '0' && c <= '9'; });
}

bool made_for(const std::string& system, const fs::path& path) {
  if (path.extension() == ".mp4") return named_like_a_clip_of(system, path);
  try {
    return system_in(parse_object(note_of(WellReader(path).header(), "provenance"))) == system;
  } catch (const Error&) {
    return false;  // what cannot be read does not say that it is ours
  }
}

bool is_data_file(const fs::path& path) {
  return has_data_extension(path) && !AtomicFile::is_temporary(path);
}

}  // namespace

DatasetFolder::DatasetFolder(fs::path folder, DatasetOrigin origin)
    : folder_(std::move(folder)), origin_(std::move(origin)) {}

std::string DatasetFolder::provenance(const DataFile& file) const {
  return json_text(to_json(origin_, {{"split", file.split}, {"trajectories", file.trajectories}}));
}

bool DatasetFolder::same_origin() const {
  const fs::path manifest = folder_ / kManifest;
  return fs::exists(manifest) &&
         difference(parse_object(read_file(manifest)), manifest_of(origin_)).empty();
}

void DatasetFolder::check_manifest() const {
  const fs::path manifest = folder_ / kManifest;
  if (!fs::exists(manifest)) {
    throw Error("generate",
                fmt::format("{}: expected the folder of a dataset, found none; run its shards "
                            "first, with the same settings and sizes",
                            folder_.string()));
  }
  const std::string differs = difference(parse_object(read_file(manifest)), manifest_of(origin_));
  if (differs.empty()) return;
  throw Error("generate",
              fmt::format("{}: the folder holds a dataset made with {}; choose another folder, "
                          "or --force to replace it",
                          manifest.string(), differs));
}

std::vector<fs::path> DatasetFolder::data_files() const {
  std::vector<fs::path> files;
  for (const char* split : kSplits) {
    const fs::path home = folder_ / "data" / split;
    if (!fs::is_directory(home)) continue;
    for (const auto& entry : fs::directory_iterator(home)) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

// All or nothing: whoever forces a run into the wrong folder keeps what is not ours to remove.
void DatasetFolder::remove_dataset() const {
  const std::string system = system_in(parse_object(read_file(folder_ / kManifest)));
  const auto keep = [](const fs::path& path) {
    throw Error("generate", fmt::format("{}: not made by `roundtrip generate`, so --force does not "
                                        "remove it; remove it or choose another folder",
                                        path.string()));
  };
  if (system.empty()) keep(folder_ / kManifest);
  std::vector<fs::path> ours;
  for (const fs::path& path : data_files()) {
    if (!is_data_file(path)) continue;
    if (!made_for(system, path)) keep(path);
    ours.push_back(path);
  }
  for (const fs::path& path : ours) fs::remove(path);
  fs::remove(folder_ / "stats.yaml");
  fs::remove(folder_ / "clips.csv");
}

void DatasetFolder::prepare(const std::vector<DataFile>& plan,
                            const std::vector<DataFile>& shard_files, bool force) const {
  const fs::path manifest = folder_ / kManifest;
  if (fs::exists(manifest)) {
    if (!force) check_manifest();
    if (!same_origin()) {
      remove_dataset();
    } else if (force) {
      for (const DataFile& file : shard_files) fs::remove(folder_ / file.path);
    }
  }

  std::set<fs::path> planned;
  for (const DataFile& file : plan) planned.insert(folder_ / file.path);
  for (const fs::path& path : data_files()) {
    if (!is_data_file(path) || (fs::exists(manifest) && planned.contains(path))) continue;
    // Files nobody asked for would silently become part of the dataset.
    throw Error("generate", fmt::format("{}: not part of this dataset; remove it or choose "
                                        "another folder",
                                        path.string()));
  }
  // Last, so that a folder whose old files are not all gone still says what they are.
  if (!same_origin()) write_file(manifest, json_text(manifest_of(origin_), 2) + "\n");
}

std::optional<MadeFile> DatasetFolder::find(const DataFile& file) const {
  const fs::path path = folder_ / file.path;
  if (!fs::exists(path)) return std::nullopt;
  if (path.extension() != ".hdf5") {  // a clip: the manifest has to vouch for it
    const bool whole = fs::is_regular_file(path) && fs::file_size(path) > 0;
    return whole ? std::optional(MadeFile{}) : std::nullopt;
  }
  const WellHeader header = WellReader(path).header();
  const Json found = parse_object(note_of(header, "provenance"));
  if (difference(found, parse_object(provenance(file))).empty()) {
    const Json commit = found.value("commit", Json());
    return MadeFile{.redraws = std::atoll(note_of(header, "redraws").c_str()),
                    .commit = commit.is_string() ? commit.get<std::string>() : ""};
  }
  throw Error("generate", fmt::format("{}: expected trajectories of this dataset, found others; "
                                      "remove the file or choose another folder",
                                      path.string()));
}

void DatasetFolder::remove_leftovers() const {
  AtomicFile::remove_abandoned(folder_);
  for (const char* split : kSplits) AtomicFile::remove_abandoned(folder_ / "data" / split);
}

}  // namespace roundtrip

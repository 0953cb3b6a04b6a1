#include "roundtrip/systems/dataset_folder.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "roundtrip/base/atomic_file.h"
#include "roundtrip/base/error.h"
#include "roundtrip/base/json_text.h"
#include "roundtrip/base/provenance.h"
#include "roundtrip/base/settings.h"
#include "roundtrip/formats/well_reader.h"

namespace roundtrip {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kManifest = "dataset.json";

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
  const std::string differs = difference(parse_object(read_file(manifest)), manifest_of(origin_));
  if (differs.empty()) return;
  throw Error("generate",
              fmt::format("{}: the folder holds a dataset made with {}; choose another folder, "
                          "or --force to replace it",
                          manifest.string(), differs));
}

std::vector<fs::path> DatasetFolder::data_files() const {
  std::vector<fs::path> files;
  for (const char* split : {"train", "valid", "test"}) {
    const fs::path home = folder_ / "data" / split;
    if (!fs::is_directory(home)) continue;
    for (const auto& entry : fs::directory_iterator(home)) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

void DatasetFolder::prepare(const std::vector<DataFile>& plan,
                            const std::vector<DataFile>& shard_files, bool force) const {
  const fs::path manifest = folder_ / kManifest;
  const bool replace = force && fs::exists(manifest) && !same_origin();
  if (fs::exists(manifest) && !force) check_manifest();
  if (force && !replace && fs::exists(manifest)) {
    for (const DataFile& file : shard_files) fs::remove(folder_ / file.path);
  }

  std::set<fs::path> planned;
  for (const DataFile& file : plan) planned.insert(folder_ / file.path);
  for (const fs::path& path : data_files()) {
    if (!has_data_extension(path) || AtomicFile::is_temporary(path)) continue;
    if (replace) {
      fs::remove(path);
    } else if (!fs::exists(manifest) || !planned.contains(path)) {
      // Files nobody asked for would silently become part of the dataset.
      throw Error("generate", fmt::format("{}: not part of this dataset; remove it or choose "
                                          "another folder",
                                          path.string()));
    }
  }
  if (replace) {
    fs::remove(folder_ / "stats.yaml");
    fs::remove(folder_ / "clips.csv");
  }
  // Last, so that a folder whose old files are not all gone still says what they are.
  if (!same_origin()) write_file(manifest, json_text(manifest_of(origin_), 2) + "\n");
}

bool DatasetFolder::holds(const DataFile& file) const {
  const fs::path path = folder_ / file.path;
  if (!fs::exists(path)) return false;
  // A clip has no place for provenance; the manifest has to vouch for it.
  if (path.extension() != ".hdf5") return fs::is_regular_file(path) && fs::file_size(path) > 0;
  const std::string found = note_of(WellReader(path).header(), "provenance");
  if (difference(parse_object(found), parse_object(provenance(file))).empty()) return true;
  throw Error("generate", fmt::format("{}: expected trajectories of this dataset, found others; "
                                      "remove the file or choose another folder",
                                      path.string()));
}

void DatasetFolder::remove_leftovers() const {
  std::vector<fs::path> paths = data_files();
  for (const auto& entry : fs::directory_iterator(folder_)) paths.push_back(entry.path());
  for (const fs::path& path : paths) {
    std::error_code ignored;  // another run may have been faster
    if (AtomicFile::is_abandoned(path)) fs::remove(path, ignored);
  }
}

}  // namespace roundtrip

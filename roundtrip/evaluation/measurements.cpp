#include "roundtrip/evaluation/measurements.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "roundtrip/base/atomic_file.h"
#include "roundtrip/base/error.h"
#include "roundtrip/base/json_text.h"

namespace roundtrip {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kScenario = "ood-";
constexpr std::string_view kEarlierScenario = "family-";  // its name of before
constexpr std::string_view kNoise = "noise-";

// Calibrators speak of one model and sampling; the record beside a table says which it is of. Other
// noise is another sampling: its table says whose model it was.
nlohmann::ordered_json checked_record(const fs::path& table, const CalibratorSet& calibrators) {
  const fs::path path = table.string() + ".json";
  if (!fs::exists(path)) return nullptr;  // a table of somebody else's making
  const auto record = read_json(read_file(path));
  const bool noise = table.filename().string().starts_with(kNoise);
  const nlohmann::ordered_json::json_pointer place(noise ? "/data/own_fingerprint"
                                                         : "/data/fingerprint");
  // `cycle` with other noise does not know whose model it was.
  if (noise && record.is_object() && !record.contains(place)) return record;
  if (!record.is_object() || !record.contains(place) || !record[place].is_string()) {
    throw Error("evaluation",
                fmt::format("{}: expected a record of the model, found none; the file is damaged",
                            path.string()));
  }
  const std::string found = record[place].get<std::string>();
  if (found == calibrators.fingerprint) return record;
  throw Error("evaluation",
              fmt::format("{}: expected a table of the model and sampling the calibrators were "
                          "fitted for ({:.12}...), found another's ({:.12}...); `cycle` and "
                          "`calibrate` again",
                          table.string(), calibrators.fingerprint, found));
}

void check_test(const fs::path& folder, const std::vector<std::string>& tables) {
  const fs::path test = folder / "test.csv";
  if (std::find(tables.begin(), tables.end(), "test") != tables.end() &&
      fs::is_regular_file(test)) {
    return;
  }
  throw Error("evaluation", fmt::format("{}: no such file; `roundtrip reproduce` measures it, or "
                                      "`roundtrip cycle --split test --out {}`",
                                      test.string(), test.string()));
}

}  // namespace

std::vector<std::string> measured_tables(const fs::path& folder) {
  std::vector<std::string> tables;
  if (!fs::is_directory(folder)) return tables;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const std::string stem = entry.path().stem().string();
    if (entry.path().extension() != ".csv") continue;
    if (stem == "test" || stem == "train" || stem.starts_with(kScenario) ||
        stem.starts_with(kEarlierScenario) || stem.starts_with(kNoise)) {
      tables.push_back(stem);
    }
  }
  std::sort(tables.begin(), tables.end());
  return tables;
}

Measurements read_measurements(const fs::path& folder, const std::vector<std::string>& tables,
                               CalibratorSet calibrators) {
  check_test(folder, tables);
  Measurements measured;
  measured.calibrators = std::move(calibrators);
  for (const std::string& name : tables) {
    const fs::path path = folder / (name + ".csv");
    measured.records[name] = checked_record(path, measured.calibrators);
    CurveTable table = read_curves(path);
    if (name == "test") {
      measured.test = std::move(table);
    } else if (name == "train") {
      measured.train = std::move(table);
    } else if (name.starts_with(kNoise)) {
      measured.noises.emplace(name.substr(kNoise.size()), std::move(table));
    } else if (name.starts_with(kScenario)) {
      measured.scenarios.insert_or_assign(name.substr(kScenario.size()), std::move(table));
    } else {
      const std::string scenario = name.substr(kEarlierScenario.size());
      measured.scenarios.emplace(scenario, std::move(table));  // a newer one of this name stays
      measured.notes.push_back(
          fmt::format("{}.csv is read as {}{}.csv: tables of OOD scenarios are called so now", name,
                      kScenario, scenario));
    }
  }
  const auto other = [&](const char* name) -> std::optional<CsvTable> {
    if (!fs::exists(folder / name)) return std::nullopt;
    checked_record(folder / name, measured.calibrators);
    return read_csv(folder / name);
  };
  measured.certificate = other("certificate.csv");
  measured.pixels = other("pixels.csv");
  for (const char* column : {"C", "E"}) {
    if (measured.test.has(column)) continue;
    throw Error("evaluation", fmt::format("{}: expected columns C and E, found no {}",
                                          measured.test.where, column));
  }
  return measured;
}

}  // namespace roundtrip

#include "roundtrip/study/evidence.h"

#include <utility>

#include <fmt/format.h>

#include "roundtrip/base/error.h"

namespace roundtrip {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kFamily = "family-";

std::map<std::string, CurveTable> read_families(const fs::path& folder) {
  std::map<std::string, CurveTable> families;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const std::string stem = entry.path().stem().string();
    if (entry.path().extension() != ".csv" || !stem.starts_with(kFamily)) continue;
    families.emplace(stem.substr(kFamily.size()), read_curves(entry.path()));
  }
  return families;
}

}  // namespace

std::optional<double> paper_value(const Evidence& evidence, std::string_view system,
                                  std::optional<double> value) {
  return evidence.model.starts_with(system) ? value : std::nullopt;
}

Evidence read_evidence(const fs::path& folder, CalibratorSet calibrators) {
  const fs::path test = folder / "test.csv", train = folder / "train.csv";
  if (!fs::is_regular_file(test)) {
    throw Error("evidence", fmt::format("{}: no such file; `roundtrip reproduce` measures it, or "
                                        "`roundtrip cycle --split test --out {}`",
                                        test.string(), test.string()));
  }
  Evidence evidence;
  evidence.calibrators = std::move(calibrators);
  evidence.test = read_curves(test);
  for (const char* column : {"C", "E"}) {
    if (evidence.test.has(column)) continue;
    throw Error("evidence",
                fmt::format("{}: expected columns C and E, found no {}", test.string(), column));
  }
  if (fs::is_regular_file(train)) evidence.train = read_curves(train);
  evidence.families = read_families(folder);
  return evidence;
}

}  // namespace roundtrip

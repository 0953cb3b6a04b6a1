#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "roundtrip/calibration/calibrator.h"
#include "roundtrip/calibration/curves.h"
#include "roundtrip/study/training_log.h"

namespace roundtrip {

/// What studies are made from, all of one model: tables of curves, and calibrators that were fitted
/// to none of them.
struct Evidence {
  std::string model;  // "mhd-small"
  std::string scale;  // at what scale ours was made, one sentence
  CalibratorSet calibrators;
  CurveTable test;                             // rollouts like those of the calibration
  std::optional<CurveTable> train;             // of trajectories the model was trained on
  std::map<std::string, CurveTable> families;  // of other kinds, by name ("orszag_tang")
  std::vector<Validation> validations;         // of the training, if its log is there
  std::map<std::string, double> cost;          // of a signal, by its column, in plain rollouts
};

/// A number the paper states for one system ("mhd"); none beside a model of another.
std::optional<double> paper_value(const Evidence& evidence, std::string_view system,
                                  std::optional<double> value);

/// Reads a folder of tables: `test.csv`, `train.csv` if there, `family-<name>.csv` as many as there
/// are. An Error when there is no `test.csv` or it lacks C or E.
Evidence read_evidence(const std::filesystem::path& folder, CalibratorSet calibrators);

}  // namespace roundtrip

#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "roundtrip/calibration/calibrator.h"
#include "roundtrip/calibration/curves.h"
#include "roundtrip/evaluation/training_log.h"

namespace roundtrip {

/// What the tables of an evaluation are made from, all of one model: curves, and calibrators that
/// were fitted to none of them.
struct Measurements {
  std::string model;   // "mhd-small", a name for titles
  std::string system;  // "mhd": whose numbers of the paper stand beside ours
  std::string scale;   // at what scale ours was made, one sentence
  CalibratorSet calibrators;
  CurveTable test;                              // rollouts like those of the calibration
  std::optional<CurveTable> train;              // of trajectories the model was trained on
  std::map<std::string, CurveTable> scenarios;  // out of distribution, by name ("orszag_tang")
  std::vector<LoggedValidation> validations;    // of the training, if its log is there
  std::map<std::string, CurveTable> noises;  // first test rollouts, noise seeds after the own ("1")
  std::optional<CsvTable> certificate;       // bounds along rollouts, certificate.csv
  std::optional<CsvTable> pixels;            // sigmas of pixels and their scores, pixels.csv
  std::map<std::string, double> cost;        // of a signal, by its column, in plain rollouts
  nlohmann::ordered_json records;            // what made each table, by its name
  std::vector<std::string> notes;            // on tables with a name of an earlier version
};

/// The tables of curves in a folder: `test`, `train`, `ood-<name>`, `noise-<k>`, those there are.
/// `family-<name>`, the earlier name of `ood-<name>`, is understood, with a note.
std::vector<std::string> measured_tables(const std::filesystem::path& folder);

/// Reads `<name>.csv` for each of `tables`, and the record beside it. An Error when there is no
/// `test`, it lacks C or E, or a record is of another model or sampling than the calibrators
/// (of `noise-<k>`, but for the noise).
Measurements read_measurements(const std::filesystem::path& folder,
                               const std::vector<std::string>& tables, CalibratorSet calibrators);

}  // namespace roundtrip

#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "roundtrip/calibration/calibrator.h"
#include "roundtrip/measurement/measure_parts.h"
#include "roundtrip/report/records.h"

namespace roundtrip {

/// The depths at which a model's rollouts are measured unless the user names others: those its
/// calibrators were fitted at, where it has any, cut at `deepest`; measured_depths() otherwise.
std::vector<int64_t> default_depths(const std::filesystem::path& model, int64_t deepest);

/// What is asked of a model on trajectories solved afresh.
struct ReproductionRequest {
  std::filesystem::path folder;  // for tables and trajectories; continued if there
  std::string model;             // a bundle
  uint64_t test_seed = 0;
  int64_t test = 0;                  // test trajectories
  int64_t train = 0;                 // training trajectories, to compare; 0: none
  std::vector<int64_t> depths;       // ascending; empty: measured_depths()
  std::vector<std::string> signals;  // entries of signals()
  bool force = false;                // replace what was made otherwise
};

/// What was measured.
struct Reproduction {
  std::vector<std::string> tables;      // names for read_measurements()
  std::map<std::string, double> costs;  // of signals, in plain rollouts
  std::vector<Section> pictures;        // a test trajectory, forward and backward
};

/// Measures all that the tables read: test rollouts, OOD scenarios, training ones, other initial
/// noise, bounds, and for the benchmark's system the pixels.
Reproduction measure_model(const ReproductionRequest& asked, const CalibratorSet& calibrators,
                           const MeasuringProgress& progress);

}  // namespace roundtrip

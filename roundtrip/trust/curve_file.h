#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "roundtrip/data/dataset.h"
#include "roundtrip/distributed/process_group.h"
#include "roundtrip/trust/measure.h"

namespace roundtrip {

/// A table of curves to be made.
struct CurveRequest {
  std::filesystem::path out;   // curves.csv; its provenance goes to curves.csv.json
  std::vector<Split> splits;   // in the order of their names in the file
  int64_t initial_frames = 0;  // known frames; 0 = as many as the model sees
  int64_t trajectories = 0;    // the first so many of each split; 0 = all
  int64_t group = 32;          // trajectories measured together, and lost at most by a kill
  MeasureRequest measure;
  std::chrono::seconds patience{1800};  // how long rank 0 waits for a part of another
  bool force = false;                   // replace a table, or work that is not to be continued
  const Dataset* training = nullptr;    // where `seed_knn` finds the training split, if elsewhere
};

/// Progress in rows stepped.
using RowsDone = std::function<void(int64_t done, int64_t total)>;

/// Measures whole splits into a file, one row per trajectory and depth: `split`, `trajectory`,
/// `depth`, then the meter's columns. Groups of trajectories are kept in `<out>.parts` as they are
/// done, so that the same command continues a stopped run; the finished table has the same bytes.
/// Ranks share the groups; rank 0 writes the table. An Error when depths reach beyond the data, or
/// when `<out>` exists.
void write_curves(const CurveRequest& request, const Surrogate& surrogate, const Dataset& dataset,
                  const nlohmann::ordered_json& context, ProcessGroup& ranks, const RowsDone& done);

}  // namespace roundtrip

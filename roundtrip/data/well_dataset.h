#pragma once

#include <memory>

#include "roundtrip/data/dataset.h"

namespace roundtrip {

/// Opens a Well folder of two-dimensional fields. Its `valid` divides by trajectory index: even =
/// selection, odd = calibration. Splits it lacks are empty. Memory: headers.
std::unique_ptr<Dataset> open_well_dataset(const DataConfig& config);

}  // namespace roundtrip

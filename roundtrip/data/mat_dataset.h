#pragma once

#include <memory>

#include "roundtrip/data/dataset.h"

namespace roundtrip {

/// Opens a Navier-Stokes file of the Fourier neural operator: one channel, vorticity; u alone, so
/// frame 0 is the first recorded time. Of N trajectories [0, 2N/3) are train, [2N/3, 5N/6) valid
/// (even = selection, odd = calibration, counted from its start) and the rest test, bounds rounded
/// down: 800 / 100 + 100 / 200 of the published 1200.
///
/// In the file the trajectory index runs fastest, so a block of up to 256 MB of neighbouring
/// trajectories is read at once and kept until another is asked for: read trajectories in order.
std::unique_ptr<Dataset> open_mat_dataset(const DataConfig& config);

}  // namespace roundtrip

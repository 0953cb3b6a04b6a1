#pragma once

#include <memory>

#include "roundtrip/data/dataset.h"

namespace roundtrip {

/// Opens a folder of clips with clips.csv: channels red, green, blue, byte b as b / 127.5 - 1. A
/// clip is a trajectory, and clips may differ in length. Clips are split by the column split of
/// clips.csv, where `valid` divides by index among its clips (even = selection, odd = calibration);
/// without that column by identity, so that nobody is shown in two splits (split_by_identity).
/// Without data.width and data.height all clips must have one size.
///
/// Lengths are what the containers say (at data.rate: the frames they promise within that time), so
/// that opening need not decode; a clip that says nothing is decoded and counted, one that turns
/// out shorter is an Error when read. Reading decodes from the clip's start: memory one picture.
std::unique_ptr<Dataset> open_video_dataset(const DataConfig& config);

}  // namespace roundtrip

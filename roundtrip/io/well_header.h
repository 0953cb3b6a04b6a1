#pragma once

#include "roundtrip/io/hdf5.h"
#include "roundtrip/io/well_schema.h"

namespace roundtrip {

/// Reads and checks the header of a Well file: every group, attribute and shape that reading its
/// fields relies on. An Error names the first thing that is missing or does not fit.
WellHeader read_well_header(const hdf5::Object& file);

/// The datasets of `header.fields`, in their order.
std::vector<hdf5::Object> open_well_fields(const hdf5::Object& file, const WellHeader& header);

/// The times of every trajectory, [trajectory, frame], of a file whose times vary over them.
std::vector<double> read_well_times(const hdf5::Object& file);

}  // namespace roundtrip

#pragma once

#include "roundtrip/io/reader_server.h"

namespace roundtrip {

/// What roundtrip-reader does: all work with HDF5 files that others may have damaged, and the
/// creation of ours.
const ReaderTasks& reader_tasks();

}  // namespace roundtrip

#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "roundtrip/io/file_descriptor.h"
#include "roundtrip/io/mat_file.h"

namespace roundtrip {

/// Opens a level-5 file (MATLAB's `-v6` and `-v7`), compressed or not, of either byte order. Reads
/// the headers of the variables only. `where` names the file in Errors.
///
/// A plain variable is read in pieces of about a megabyte with whole columns in them; a compressed
/// one has to be inflated from its beginning at every call, so read it in few calls.
std::unique_ptr<MatFile> open_mat_level5(FileDescriptor file, uint64_t size, std::string where);

}  // namespace roundtrip

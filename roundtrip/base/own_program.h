#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace roundtrip {

/// The folder of the running program, where what is installed with it lies.
std::filesystem::path program_folder();

/// Where what comes with the program may lie, `kind` "models" or "configs", in the order to look:
/// the working folder, the source tree it was built in, its installation.
std::vector<std::filesystem::path> shared_folders(const std::string& kind);

}  // namespace roundtrip

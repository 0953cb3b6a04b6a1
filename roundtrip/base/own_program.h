#pragma once

#include <filesystem>

namespace roundtrip {

/// The folder of the running program, where what is installed with it lies.
std::filesystem::path program_folder();

}  // namespace roundtrip

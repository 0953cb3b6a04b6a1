#pragma once

#include <string>
#include <vector>

namespace roundtrip {

/// The file of the training a user names: a path stays as it is, and "mhd-small" is
/// configs/mhd-small.toml of the working folder or of those that come with the program. An Error
/// that names the nearest ones when there is neither.
std::string preset_path(const std::string& said);

/// The names of all that are there, sorted.
std::vector<std::string> shipped_presets();

}  // namespace roundtrip

#pragma once

#include <string>
#include <vector>

namespace roundtrip {

/// The folder of a bundle that comes with the program: `models/<name>` here, in the source tree the
/// program was built in, or beside an installed program. An Error that says where it was looked
/// for.
std::string shipped_model(const std::string& name);

/// Where the model a user names is: a bundle that comes with the program may be called by its name,
/// and a bundle by its model.toml; anything else stays as it is.
std::string model_path(const std::string& said);

/// The names of all that are there, sorted.
std::vector<std::string> shipped_models();

}  // namespace roundtrip

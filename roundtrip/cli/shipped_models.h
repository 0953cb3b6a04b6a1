#pragma once

#include <string>
#include <vector>

namespace roundtrip {

/// The folder of a bundle that comes with the program: `models/<name>` here, in the source tree the
/// program was built in, or beside an installed program. An Error that says where it was looked
/// for.
std::string shipped_model(const std::string& name);

/// The names of all that are there, sorted.
std::vector<std::string> shipped_models();

}  // namespace roundtrip

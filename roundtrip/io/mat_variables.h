#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "roundtrip/io/mat_file.h"

// Level 7.3 as HDF5 sees it, in this process, which a damaged file may crash.

namespace roundtrip {

/// A variable of a file of level 7.3.
struct Level73Variable {
  MatVariable variable;
  int64_t address = -1;  // of its values, when they are one run
  uint32_t storage = 0;  // and their type
  int64_t bytes = 0;     // declared
};

template <class Archive>
void visit(Archive& archive, Level73Variable& found) {
  archive(found.variable.name, found.variable.type, found.variable.dims, found.address,
          found.storage, found.bytes);
}

/// All variables of a file.
std::vector<Level73Variable> describe_mat_variables(const std::filesystem::path& path);

/// All values of one; an Error when there are more than would be the times of a solution.
std::vector<double> read_mat_variable(const std::filesystem::path& path, const std::string& name);

}  // namespace roundtrip

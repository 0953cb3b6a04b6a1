#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include <nlohmann/json.hpp>

#include "roundtrip/distributed/process_group.h"

namespace roundtrip {

/// A result that takes long to compute and is the same for all ranks: rank 0 makes it once and
/// keeps it in the file at `path`; the others, and a resumed run, read it there. A file made from
/// something else than `fingerprint` names is made again. Numbers come back bit for bit.
nlohmann::ordered_json shared_result(const std::filesystem::path& path,
                                     const std::string& fingerprint, ProcessGroup& ranks,
                                     const std::function<nlohmann::ordered_json()>& make);

}  // namespace roundtrip

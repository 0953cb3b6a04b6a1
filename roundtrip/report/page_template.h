#pragma once

#include <string_view>

namespace roundtrip {

/// The built front end of web/: one HTML file with a place for records. Empty in a build without
/// it (-DROUNDTRIP_WEB=OFF).
std::string_view page_template();

}  // namespace roundtrip

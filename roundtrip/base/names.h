#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace roundtrip {

/// The known name closest to `name` by edit distance, or "" when none is near enough to suggest.
std::string nearest_name(std::string_view name, const std::vector<std::string>& known);

/// "no such setting (did you mean steps? known: steps, seed)": the tail of an unknown-name error.
std::string unknown_name(std::string_view kind, std::string_view name,
                         const std::vector<std::string>& known);

}  // namespace roundtrip

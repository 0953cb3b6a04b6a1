#pragma once

#include <span>
#include <string_view>

namespace roundtrip {

/// An Error that names the first value that is NaN or infinite; `name` says what the values are.
void require_finite(std::span<const double> values, std::string_view name);

/// An Error that names the first value that is not finite and above zero.
void require_positive(std::span<const double> values, std::string_view name);

}  // namespace roundtrip

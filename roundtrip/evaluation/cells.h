#pragma once

#include <optional>
#include <string>

#include "roundtrip/report/records.h"
#include "roundtrip/evaluation/estimate.h"

namespace roundtrip {

/// A word in a table.
TableCell word(std::string text);

/// A number of ours, its interval and the paper's; "-" when ours is not there.
TableCell number(std::optional<double> ours, std::optional<Interval> interval = {},
                 std::optional<double> paper = {});
TableCell number(const Estimate& ours, std::optional<double> paper = {});

/// A number of the paper's where we have none.
TableCell quoted(double paper);

/// A cell for a whole number.
TableCell count(int64_t value);

}  // namespace roundtrip

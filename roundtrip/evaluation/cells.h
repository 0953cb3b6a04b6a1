#pragma once

#include <optional>
#include <string>

#include "roundtrip/report/records.h"
#include "roundtrip/evaluation/estimate.h"

namespace roundtrip {

/// A word in a table.
TableCell word(std::string text);

/// A number of ours and its interval; "-" when it is not there.
TableCell number(std::optional<double> ours, std::optional<Interval> interval = {});
TableCell number(const Estimate& ours);

/// A number of the paper's where we have none.
TableCell quoted(double paper);

/// A cell for a whole number.
TableCell count(int64_t value);

}  // namespace roundtrip

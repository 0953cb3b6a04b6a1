#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "roundtrip/evaluation/measurements.h"
#include "roundtrip/evaluation/scored_fit.h"

// What a table cannot do without, or an Error that says what is missing and how to get it.
namespace roundtrip {

/// An Error unless the table has the columns.
void need_columns(const CurveTable& table, std::string_view table_name,
                  const std::vector<std::string>& columns);

/// finite_depths of the columns, one at least.
std::vector<int64_t> need_depths(const CurveTable& table, std::string_view table_name,
                                 const std::vector<std::string>& columns);

/// score_on_test of a calibrator that has to be there.
ScoredFit need_fit(const Measurements& measured, std::string_view table_name,
                   const CalibratorKey& key);

/// A note when the first trajectory has depths that are not among these, otherwise nothing: a table
/// should say what it leaves out.
std::vector<std::string> left_out_note(const CurveTable& table, const std::vector<int64_t>& depths);

}  // namespace roundtrip

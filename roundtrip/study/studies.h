#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "roundtrip/base/registry.h"
#include "roundtrip/report/records.h"
#include "roundtrip/study/evidence.h"

namespace roundtrip {

/// One table or figure: records from evidence, ours beside the paper's where it states a number.
struct StudyEntry {
  std::string_view name;
  std::string_view summary;
  std::string_view paper;  // where in the paper: "Table 3"
  /// An Error that says what to measure when the evidence lacks what the study needs.
  std::vector<Section> (*make)(const Evidence& evidence);
};

/// All studies, by hand, in the order of a report: adding one is a file pair, a test and a row.
const Registry<StudyEntry>& studies();

}  // namespace roundtrip

#include "roundtrip/study/first_fifty.h"

#include <fmt/format.h>

#include "roundtrip/base/error.h"
#include "roundtrip/study/calibration_table.h"
#include "roundtrip/study/correlations.h"

namespace roundtrip {

std::vector<Section> study_first_fifty(const Evidence& evidence) {
  constexpr size_t kPaper = 50;
  if (evidence.system != "mhd" || evidence.test.curves.size() <= kPaper) {
    throw Error("study", fmt::format("first_fifty: expected more than {} test trajectories of mhd, "
                                     "found {} of {}",
                                     kPaper, evidence.test.curves.size(), evidence.system));
  }
  Evidence fewer = evidence;
  fewer.test.curves.resize(kPaper);
  std::vector<Section> tables;
  for (const auto& study : {study_calibration, study_correlations}) {
    for (Section& section : study(fewer)) {
      auto* table = std::get_if<TableSection>(&section);
      if (table == nullptr) continue;  // figures say no more with fewer
      table->title += ", the first fifty";
      tables.push_back(std::move(section));
    }
  }
  return tables;
}

}  // namespace roundtrip

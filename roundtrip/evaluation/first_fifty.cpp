#include "roundtrip/evaluation/first_fifty.h"

#include <fmt/format.h>

#include "roundtrip/base/error.h"
#include "roundtrip/evaluation/calibration_table.h"
#include "roundtrip/evaluation/correlations.h"

namespace roundtrip {

std::vector<Section> evaluate_first_fifty(const Measurements& measured) {
  constexpr size_t kPaper = 50;
  if (measured.system != "mhd" || measured.test.curves.size() <= kPaper) {
    throw Error("evaluation",
                fmt::format("first_fifty: expected more than {} test trajectories of mhd, found {} "
                            "of {}",
                            kPaper, measured.test.curves.size(), measured.system));
  }
  Measurements fewer = measured;
  fewer.test.curves.resize(kPaper);
  std::vector<Section> tables;
  for (const auto& evaluate : {evaluate_calibration, evaluate_correlations}) {
    for (Section& section : evaluate(fewer)) {
      auto* table = std::get_if<TableSection>(&section);
      if (table == nullptr) continue;  // figures say no more with fewer
      table->title += kFirstFifty;
      tables.push_back(std::move(section));
    }
  }
  return tables;
}

}  // namespace roundtrip

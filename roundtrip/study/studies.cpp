#include "roundtrip/study/studies.h"

#include "roundtrip/study/calibration_table.h"

namespace roundtrip {

const Catalog<StudyRow>& studies() {
  static const Catalog<StudyRow> rows = {
      {"calibration", "how well the error is predicted: constant, depth, controls, C", "Table 3",
       study_calibration},
  };
  return rows;
}

}  // namespace roundtrip

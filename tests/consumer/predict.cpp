// The error that a shipped model's calibrator predicts where C is 0.004 at depth 4. Needs no torch.
#include <cstdio>

#include "roundtrip/calibration/calibrator_file.h"
#include "roundtrip/calibration/predicted_error.h"

int main(int, char** argv) {
  const auto calibrators = roundtrip::read_calibrators(argv[1]);
  roundtrip::Curve curve;
  curve.add(4, {{"C", 0.004}});
  const auto predicted = roundtrip::predict_error(
      calibrators.find({.target = "E", .signal = "C", .features = "depth"}), curve, 0, 0.95);
  std::printf("predicted error %.2g, below %.2g\n", predicted.median, predicted.bounds().high);
  return predicted.median < predicted.bounds().high ? 0 : 1;
}

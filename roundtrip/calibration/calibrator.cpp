#include "roundtrip/calibration/calibrator.h"

#include <fmt/format.h>

#include "roundtrip/base/error.h"
#include "roundtrip/base/names.h"

namespace roundtrip {

std::string CalibratorKey::text() const {
  return fmt::format("{} from {} ({})", target, signal, features);
}

bool Calibrator::causal() const {
  return find_row(feature_rows(), "features", key.features).causal;
}

Prediction Calibrator::predict(std::span<const double> inputs) const {
  if (const auto* isotonic = std::get_if<Isotonic>(&model)) {
    ensure(inputs.size() == 1, "an isotonic calibrator has one input");
    return isotonic->predict(inputs[0]);
  }
  return std::get<PolynomialGaussian>(model).predict(inputs);
}

Prediction Calibrator::predict(const Curve& curve, size_t at) const {
  return predict(inputs_at(features, curve, at));
}

const Calibrator& CalibratorSet::find(const CalibratorKey& key) const {
  std::vector<std::string> known;
  for (const Calibrator& calibrator : calibrators) {
    if (calibrator.key == key) return calibrator;
    known.push_back(calibrator.key.text());
  }
  throw Error("calibrators", unknown_name("calibrator", key.text(), known));
}

const Alarm& CalibratorSet::alarm(const std::string& signal) const {
  std::vector<std::string> known;
  for (const Alarm& alarm : alarms) {
    if (alarm.signal == signal) return alarm;
    known.push_back(alarm.signal);
  }
  throw Error("calibrators", unknown_name("alarm", signal, known));
}

}  // namespace roundtrip

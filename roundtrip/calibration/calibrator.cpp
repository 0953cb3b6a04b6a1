#include "roundtrip/calibration/calibrator.h"

#include <algorithm>

#include <fmt/format.h>

#include "roundtrip/base/error.h"
#include "roundtrip/base/names.h"
#include "roundtrip/metrics/normal.h"

namespace roundtrip {

std::string CalibratorKey::text() const {
  return fmt::format("{} from {} ({})", target, signal, features);
}

bool Calibrator::causal() const {
  return find_entry(feature_sets(), "features", key.features).causal;
}

GaussianPrediction Calibrator::predict(std::span<const double> inputs) const {
  if (const auto* isotonic = std::get_if<Isotonic>(&model)) {
    ensure(inputs.size() == 1, "an isotonic calibrator has one input");
    return isotonic->predict(inputs[0]);
  }
  return std::get<PolynomialGaussian>(model).predict(inputs);
}

GaussianPrediction Calibrator::predict(const Curve& curve, size_t at) const {
  return predict(inputs_at(features, curve, at));
}

UpperError Calibrator::upper_error(const Curve& curve, size_t at, double level, Holds holds) const {
  const GaussianPrediction prediction = predict(curve, at);
  UpperError out{.gaussian = error_band(prediction, normal_quantile(level)).high, .conformal = {}};
  const int64_t depth = curve.depths[at];
  const auto quantiles = holds == Holds::all_depths ? conformal.at_all(depth, level)
                                                    : conformal.at(depth, level);
  if (quantiles) out.conformal = error_band(prediction, quantiles->upper).high;
  return out;
}

ErrorBounds Calibrator::gaussian_bounds(const Curve& curve, size_t at, double level) const {
  const GaussianPrediction prediction = predict(curve, at);
  const ErrorBand band = error_band(prediction, normal_quantile((1 + level) / 2));
  return {.low = band.low,
          .high = band.high,
          .upper = error_band(prediction, normal_quantile(level)).high};
}

std::optional<ErrorBounds> Calibrator::conformal_bounds(const Curve& curve, size_t at,
                                                        double level) const {
  const auto quantiles = conformal.at(curve.depths[at], level);
  if (!quantiles) return std::nullopt;
  const GaussianPrediction prediction = predict(curve, at);
  const ErrorBand band = error_band(prediction, quantiles->two_sided);
  return ErrorBounds{.low = band.low,
                     .high = band.high,
                     .upper = error_band(prediction, quantiles->upper).high};
}

const Calibrator* CalibratorSet::find_if_there(const CalibratorKey& key) const {
  const auto found = std::ranges::find(calibrators, key, &Calibrator::key);
  return found == calibrators.end() ? nullptr : &*found;
}

const Calibrator& CalibratorSet::find(const CalibratorKey& key) const {
  if (const Calibrator* found = find_if_there(key)) return *found;
  std::vector<std::string> known;
  for (const Calibrator& calibrator : calibrators) known.push_back(calibrator.key.text());
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

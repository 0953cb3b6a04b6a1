#include "roundtrip/calibration/held_out.h"

#include <cmath>
#include <limits>
#include <utility>

namespace roundtrip {

void HeldOut::add(int64_t at_curve, int64_t at_depth, double value,
                  const GaussianPrediction& prediction) {
  curve.push_back(at_curve);
  depth.push_back(at_depth);
  y.push_back(value);
  mean.push_back(prediction.mean);
  sigma.push_back(prediction.sigma);
}

HeldOut predict_curves(const Calibrator& calibrator, const std::vector<Curve>& curves) {
  HeldOut out;
  for (size_t c = 0; c < curves.size(); ++c) {
    const std::vector<double>& target = curves[c].column(calibrator.key.target);
    for (size_t i = 0; i < curves[c].size(); ++i) {
      const std::vector<double> x = inputs_at(calibrator.features, curves[c], i);
      const double y = std::log(target[i]);
      bool known = std::isfinite(y);
      for (const double value : x) known = known && !std::isnan(value);
      if (known) {
        out.add(static_cast<int64_t>(c), curves[c].depths[i], y, calibrator.predict(x));
      } else {
        ++out.dropped;
      }
    }
  }
  return out;
}

ClusteredMean gain(const HeldOut& better, const HeldOut& reference) {
  std::vector<double> differences;
  std::vector<int64_t> trajectory;
  const auto key = [](const HeldOut& rows, size_t i) {
    return std::pair(rows.curve[i], rows.depth[i]);
  };
  const auto nll = [](const HeldOut& rows, size_t i) {
    return gaussian_nll(rows.y[i], rows.mean[i], rows.sigma[i]);
  };
  for (size_t a = 0, b = 0; a < better.size() && b < reference.size();) {
    if (key(better, a) < key(reference, b)) {
      ++a;
    } else if (key(reference, b) < key(better, a)) {
      ++b;
    } else {
      differences.push_back(nll(reference, b) - nll(better, a));
      trajectory.push_back(better.curve[a]);
      ++a, ++b;
    }
  }
  if (differences.empty()) return {0, std::numeric_limits<double>::infinity()};
  return clustered_mean(differences, trajectory);
}

}  // namespace roundtrip

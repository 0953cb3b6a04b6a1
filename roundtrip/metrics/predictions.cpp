#include "roundtrip/metrics/predictions.h"

#include "roundtrip/base/error.h"
#include "roundtrip/metrics/checks.h"

namespace roundtrip {

void check(const Predictions& predictions) {
  const size_t rows = predictions.size();
  ensure(predictions.mean.size() == rows && predictions.sigma.size() == rows,
         "columns of predictions differ in length");
  if (rows == 0) throw Error("stats", "predictions: expected at least one row, found none");
  require_finite(predictions.y, "y");
  require_finite(predictions.mean, "mean");
  require_positive(predictions.sigma, "sigma");
}

std::vector<double> z_scores(const Predictions& predictions) {
  check(predictions);
  std::vector<double> z(predictions.size());
  for (size_t i = 0; i < z.size(); ++i) {
    z[i] = (predictions.y[i] - predictions.mean[i]) / predictions.sigma[i];
  }
  return z;
}

}  // namespace roundtrip

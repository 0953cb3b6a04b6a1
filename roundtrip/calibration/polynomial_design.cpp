#include "roundtrip/calibration/polynomial_design.h"

#include <algorithm>
#include <cmath>

#include "roundtrip/calibration/polynomial_terms.h"
#include "roundtrip/metrics/moments.h"

namespace roundtrip {

std::vector<InputRange> input_ranges(const Samples& samples, std::span<const size_t> rows) {
  std::vector<InputRange> ranges(samples.inputs);
  std::vector<double> column(rows.size());
  for (size_t k = 0; k < samples.inputs; ++k) {
    for (size_t i = 0; i < rows.size(); ++i) column[i] = samples.row(rows[i])[k];
    const auto [low, high] = std::minmax_element(column.begin(), column.end());
    Moments moments;
    moments.add(std::span<const double>(column));
    // Equal values can leave a spread of rounding behind, which would blow up the standardised.
    const bool varies = *high > *low;
    ranges[k] = {.centre = varies ? moments.mean() : *low,
                 .scale = varies ? moments.std_deviation() : 1,
                 .low = *low,
                 .high = *high};
  }
  return ranges;
}

DesignSize design_size(const ModelForm& form, Degrees degrees) {
  return {.mean = static_cast<Eigen::Index>(count_mean_terms(form, degrees.mean)),
          .log_sigma = static_cast<Eigen::Index>(count_log_sigma_terms(form, degrees.log_sigma))};
}

GaussianDesign make_design(const Samples& samples, std::span<const size_t> rows,
                           const ModelForm& form, const std::vector<InputRange>& ranges,
                           Degrees highest) {
  const auto n = static_cast<Eigen::Index>(rows.size());
  const DesignSize size = design_size(form, highest);
  GaussianDesign design{.mean = Eigen::MatrixXd(n, size.mean),
                        .log_sigma = Eigen::MatrixXd(n, size.log_sigma),
                        .y = Eigen::VectorXd(n)};
  std::vector<double> z(samples.inputs), terms;
  for (Eigen::Index i = 0; i < n; ++i) {
    const size_t row = rows[static_cast<size_t>(i)];
    for (size_t k = 0; k < z.size(); ++k) z[k] = ranges[k].standardise(samples.row(row)[k]);
    fill_mean_terms(form, highest.mean, z, terms);
    design.mean.row(i) = Eigen::Map<Eigen::RowVectorXd>(terms.data(), size.mean);
    fill_log_sigma_terms(form, highest.log_sigma, z, terms);
    design.log_sigma.row(i) = Eigen::Map<Eigen::RowVectorXd>(terms.data(), size.log_sigma);
    design.y[i] = samples.y[row];
  }
  return design;
}

}  // namespace roundtrip

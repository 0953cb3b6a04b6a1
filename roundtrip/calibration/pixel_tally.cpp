#include "roundtrip/calibration/pixel_tally.h"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "roundtrip/base/error.h"
#include "roundtrip/metrics/field_errors.h"

namespace roundtrip {
namespace {

constexpr size_t kLevels = 100;

struct NumberColumn {
  const char* name;
  double PixelTally::*value;
};
constexpr NumberColumn kNumbers[] = {
    {"pixels", &PixelTally::pixels},
    {"relative_l2", &PixelTally::relative_l2},
    {"absolute_error", &PixelTally::absolute_error},
    {"within_one", &PixelTally::within_one},
    {"z_square", &PixelTally::z_square},
    {"z_fourth", &PixelTally::z_fourth},
};

std::string level_column(size_t level) { return fmt::format("inside_{:02}", level); }

// Errors in deviations.
std::vector<double> standardised(std::span<const float> predicted, std::span<const float> truth,
                                 std::span<const float> sigma) {
  ensure(predicted.size() == truth.size() && truth.size() == sigma.size(),
         "a prediction, a truth and a sigma for every pixel");
  std::vector<double> z(sigma.size());
  for (size_t i = 0; i < z.size(); ++i) {
    if (sigma[i] <= 0 || !std::isfinite(truth[i])) {
      throw Error("pixels", fmt::format("expected finite true values and sigmas above 0, found {} "
                                        "with sigma {}",
                                        truth[i], sigma[i]));
    }
    const double error = static_cast<double>(predicted[i]) - truth[i];
    const bool finite = std::isfinite(error) && std::isfinite(sigma[i]);
    z[i] = finite ? error / sigma[i] : std::numeric_limits<double>::infinity();
  }
  return z;
}

}  // namespace

PixelTally tally_pixels(std::span<const float> predicted, std::span<const float> truth,
                        std::span<const float> sigma) {
  const std::vector<double> z = standardised(predicted, truth, sigma);
  const auto l2 = relative_l2(predicted, truth);
  if (!l2) throw Error("pixels", "expected a truth other than 0 everywhere");
  PixelTally tally;
  tally.pixels = static_cast<double>(z.size());
  tally.relative_l2 = *l2;
  tally.absolute_error = mean_absolute_error(predicted, truth);
  for (const double value : z) {
    tally.within_one += (std::abs(value) < 1) / tally.pixels;
    tally.z_square += value * value / tally.pixels;
    tally.z_fourth += value * value * value * value / tally.pixels;
  }
  tally.inside = calibration_curve(z, kLevels).observed;
  return tally;
}

PixelScores pool_pixels(std::span<const PixelTally* const> tallies) {
  ensure(!tallies.empty(), "at least one rollout");
  double pixels = 0;
  for (const PixelTally* tally : tallies) pixels += tally->pixels;
  PixelScores scores;
  double square = 0, fourth = 0;
  std::vector<double> observed(kLevels);
  for (const PixelTally* tally : tallies) {
    const double share = tally->pixels / pixels;
    scores.relative_l2 += tally->relative_l2 / static_cast<double>(tallies.size());
    scores.absolute_error += tally->absolute_error * share;
    scores.within_one += tally->within_one * share;
    square += tally->z_square * share;
    fourth += tally->z_fourth * share;
    for (size_t j = 0; j < kLevels; ++j) observed[j] += tally->inside[j] * share;
  }
  scores.errors = calibration_errors(nominal_levels(kLevels), observed);
  scores.kurtosis = fourth / (square * square);
  return scores;
}

std::string pixel_rows_to_csv(const std::vector<PixelRow>& rows) {
  std::vector<std::string> names = {"field",   "object", "trajectory", "depth",
                                    "samples", "kappa",  "lambda"};
  for (const NumberColumn& column : kNumbers) names.emplace_back(column.name);
  for (size_t j = 0; j < kLevels; ++j) names.push_back(level_column(j));
  std::string text = csv_line(names);
  for (const PixelRow& row : rows) {
    std::vector<std::string> cells = {row.field,
                                      row.object,
                                      std::to_string(row.trajectory),
                                      std::to_string(row.depth),
                                      std::to_string(row.samples),
                                      csv_number(row.fit.kappa),
                                      csv_number(row.fit.lambda)};
    for (const NumberColumn& column : kNumbers) {
      cells.push_back(csv_number(row.tally.*column.value));
    }
    for (const double share : row.tally.inside) cells.push_back(csv_number(share));
    text += csv_line(cells);
  }
  return text;
}

std::vector<PixelRow> pixel_rows_from(const CsvTable& table) {
  std::vector<PixelRow> rows(table.rows.size());
  const auto each = [&](const char* column, const auto& put) {
    const std::vector<double> values = table.numbers(column);
    for (size_t i = 0; i < rows.size(); ++i) put(rows[i], values[i]);
  };
  const auto fields = table.texts("field"), objects = table.texts("object");
  for (size_t i = 0; i < rows.size(); ++i) {
    rows[i].field = fields[i];
    rows[i].object = objects[i];
  }
  each("trajectory", [](PixelRow& row, double x) { row.trajectory = static_cast<int64_t>(x); });
  each("depth", [](PixelRow& row, double x) { row.depth = static_cast<int64_t>(x); });
  each("samples", [](PixelRow& row, double x) { row.samples = static_cast<int64_t>(x); });
  each("kappa", [](PixelRow& row, double x) { row.fit.kappa = x; });
  each("lambda", [](PixelRow& row, double x) { row.fit.lambda = x; });
  for (const NumberColumn& column : kNumbers) {
    each(column.name, [&](PixelRow& row, double x) { row.tally.*column.value = x; });
  }
  for (size_t j = 0; j < kLevels; ++j) {
    each(level_column(j).c_str(), [](PixelRow& row, double x) { row.tally.inside.push_back(x); });
  }
  return rows;
}

}  // namespace roundtrip

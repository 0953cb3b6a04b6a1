#include "roundtrip/calibration/select_degrees.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include <fmt/format.h>

#include "roundtrip/base/error.h"
#include "roundtrip/base/names.h"
#include "roundtrip/calibration/polynomial_design.h"
#include "roundtrip/calibration/trajectory_units.h"
#include "roundtrip/metrics/gaussian_scores.h"

// Folds are made of trajectories, because depths of one rollout repeat one another. One standard
// error is the margin within which a score is luck; the simplest model inside it is taken
// (Breiman, Friedman, Olshen & Stone 1984, section 3.4.3). Which trajectories are hard to predict
// is the same for every candidate: that scatter cancels in the difference of two scores, and a
// margin that still contains it hides differences many times the luck in them.

namespace roundtrip {
namespace {

// Of a standard error. Scores need fewer digits than coefficients: this is 1e-6 nats in all rows
// together.
constexpr double kScoreTolerance = 1e-3;

std::vector<Degrees> grid_of(const DegreeGrid& grid) {
  std::vector<Degrees> all;
  for (int64_t p = grid.lowest.mean; p <= grid.highest.mean; ++p) {
    for (int64_t q = grid.lowest.log_sigma; q <= grid.highest.log_sigma; ++q) all.push_back({p, q});
  }
  return all;
}

// Rows in and out of a fold; a fold no row is in holds nothing out.
struct Part {
  std::vector<size_t> fit, held_out;
};

Part part_of(const std::vector<int64_t>& folds, int64_t fold) {
  Part part;
  for (size_t i = 0; i < folds.size(); ++i) {
    (folds[i] == fold ? part.held_out : part.fit).push_back(i);
  }
  return part;
}

int64_t different_values(const Samples& samples, const std::vector<size_t>& rows, size_t input) {
  std::vector<double> values;
  for (const size_t row : rows) values.push_back(samples.row(row)[input]);
  std::sort(values.begin(), values.end());
  return std::unique(values.begin(), values.end()) - values.begin();
}

// The highest degree through the different values of the polynomial inputs. One that never varies
// has no say: its terms are zero.
int64_t highest_degree(const Samples& samples, const std::vector<size_t>& rows,
                       const ModelForm& form) {
  int64_t least = std::numeric_limits<int64_t>::max();
  for (size_t k = 0; k < samples.inputs; ++k) {
    const bool counts = form.polynomial[k] && form.enters(k);
    const int64_t values = counts ? different_values(samples, rows, k) : 1;
    if (values > 1) least = std::min(least, values - 1);
  }
  return least == std::numeric_limits<int64_t>::max() ? 0 : least;
}

// The highest degrees of the grid that these rows can hold.
Degrees highest_for(const Samples& samples, const std::vector<size_t>& rows, const ModelForm& form,
                    const DegreeGrid& grid) {
  const int64_t most = highest_degree(samples, rows, form);
  Degrees highest = {std::min(grid.highest.mean, most), std::min(grid.highest.log_sigma, most)};
  const auto too_many = [&] {
    const DesignSize size = design_size(form, highest);
    return 2 * (size.mean + size.log_sigma) > static_cast<Eigen::Index>(rows.size());
  };
  while (too_many() && (highest.mean > 0 || highest.log_sigma > 0)) {
    --(highest.log_sigma >= highest.mean ? highest.log_sigma : highest.mean);
  }
  return highest;
}

// A start for degrees (p, q) from the fit at fewer: new coefficients are zero.
Eigen::VectorXd extend(const Eigen::VectorXd& theta, DesignSize from, DesignSize to) {
  Eigen::VectorXd out = Eigen::VectorXd::Zero(to.mean + to.log_sigma);
  out.head(from.mean) = theta.head(from.mean);
  out.segment(to.mean, from.log_sigma) = theta.tail(from.log_sigma);
  return out;
}

/// All fits of a grid to some rows. The fits to all rows start each from the one below it; a fold's
/// start from those, in the same standardised inputs, and are there in two or three steps.
class GridFits {
 public:
  GridFits(const Samples& samples, const std::vector<size_t>& rows, const ModelForm& form,
           const DegreeGrid& grid, const GridFits* all = nullptr)
      : form_(form), ranges_(input_ranges(samples, rows)) {
    for (size_t k = 0; all != nullptr && k < ranges_.size(); ++k) {
      ranges_[k].centre = all->ranges_[k].centre;
      ranges_[k].scale = all->ranges_[k].scale;
    }
    const GaussianDesign design = make_design(samples, rows, form, ranges_, grid.highest);
    const int64_t across = grid.highest.log_sigma - grid.lowest.log_sigma + 1;
    for (const Degrees degrees : grid_of(grid)) {
      const DesignSize size = design_size(form, degrees);
      const size_t at = coefficients_.size();
      Eigen::VectorXd start;
      if (all != nullptr) {
        start = all->coefficients_[at];
      } else if (degrees.log_sigma > grid.lowest.log_sigma) {
        const DesignSize below = design_size(form, {degrees.mean, degrees.log_sigma - 1});
        start = extend(coefficients_[at - 1], below, size);
      } else if (degrees.mean > grid.lowest.mean) {
        const DesignSize below = design_size(form, {degrees.mean - 1, degrees.log_sigma});
        start = extend(coefficients_[at - static_cast<size_t>(across)], below, size);
      } else {
        start = least_squares_start(design, size);
      }
      coefficients_.push_back(
          minimise_likelihood(design, size, start, kScoreTolerance).coefficients);
    }
  }

  PolynomialGaussian model(size_t which, Degrees degrees) const {
    const DesignSize size = design_size(form_, degrees);
    const double* theta = coefficients_[which].data();
    return {.form = form_,
            .degrees = degrees,
            .inputs = ranges_,
            .mean = {theta, theta + size.mean},
            .log_sigma = {theta + size.mean, theta + size.mean + size.log_sigma}};
  }

  /// Predictions of model `which` at rows whose design was made with this fit's ranges.
  std::vector<GaussianPrediction> predict(size_t which, Degrees degrees,
                                          const GaussianDesign& design) const {
    const DesignSize size = design_size(form_, degrees);
    const Eigen::VectorXd& theta = coefficients_[which];
    const Eigen::VectorXd mean = design.mean.leftCols(size.mean) * theta.head(size.mean);
    const Eigen::VectorXd s =
        design.log_sigma.leftCols(size.log_sigma) * theta.tail(size.log_sigma);
    std::vector<GaussianPrediction> out(static_cast<size_t>(mean.size()));
    for (size_t i = 0; i < out.size(); ++i) {
      const auto k = static_cast<Eigen::Index>(i);
      out[i] = {.mean = mean[k], .sigma = std::max(std::exp(s[k]), kSigmaFloor)};
    }
    return out;
  }

  const std::vector<InputRange>& ranges() const { return ranges_; }

 private:
  ModelForm form_;
  std::vector<InputRange> ranges_;
  std::vector<Eigen::VectorXd> coefficients_;  // in the order of grid_of
};

// Held-out predictions of every candidate (candidate, row).
std::vector<std::vector<GaussianPrediction>> cross_validate(
    const Samples& samples, const ModelForm& form, const DegreeGrid& grid, const GridFits& whole,
    const std::vector<int64_t>& folds, int64_t count) {
  const std::vector<Degrees> all = grid_of(grid);
  std::vector<std::vector<GaussianPrediction>> out(all.size(),
                                                   std::vector<GaussianPrediction>(samples.size()));
  for (int64_t fold = 0; fold < count; ++fold) {
    const Part part = part_of(folds, fold);
    const GridFits fits(samples, part.fit, form, grid, &whole);
    const GaussianDesign design =
        make_design(samples, part.held_out, form, fits.ranges(), grid.highest);
    for (size_t c = 0; c < all.size(); ++c) {
      const std::vector<GaussianPrediction> some = fits.predict(c, all[c], design);
      for (size_t i = 0; i < some.size(); ++i) out[c][part.held_out[i]] = some[i];
    }
  }
  return out;
}

// What the chosen degrees predict of every row by the fold that did not see it. Folds are more than
// those that chose: a fit to four fifths of the trajectories errs more than one to all of them, and
// bands made of its errors would be too wide.
std::vector<GaussianPrediction> predict_held_out(const Samples& samples, const ModelForm& form,
                                                 Degrees degrees, int64_t folds) {
  const DegreeGrid one{.lowest = degrees, .highest = degrees};
  const std::vector<int64_t> fold_of = trajectory_folds(samples.trajectory, folds);
  const GridFits whole(samples, part_of(fold_of, -1).fit, form, one);
  return cross_validate(samples, form, one, whole, fold_of, folds).front();
}

// The grid cut down to what every fold's rows can hold.
DegreeGrid feasible(const Samples& samples, const ModelForm& form, DegreeGrid grid,
                    const std::vector<int64_t>& folds, int64_t count,
                    std::vector<std::string>& notes) {
  const Degrees asked = grid.highest;
  for (int64_t fold = 0; fold < count; ++fold) {
    const Degrees held = highest_for(samples, part_of(folds, fold).fit, form, grid);
    grid.highest = {std::min(grid.highest.mean, held.mean),
                    std::min(grid.highest.log_sigma, held.log_sigma)};
  }
  grid.lowest = {std::min(grid.lowest.mean, grid.highest.mean),
                 std::min(grid.lowest.log_sigma, grid.highest.log_sigma)};
  const std::vector<size_t> all = part_of(folds, -1).fit;
  if (samples.inputs > 0 && form.enters(0) && different_values(samples, all, 0) == 1) {
    notes.push_back("the signal never varies and says nothing");
  } else if (grid.highest != asked) {
    notes.push_back(fmt::format("too few rows or different values for degrees above ({}, {})",
                                grid.highest.mean, grid.highest.log_sigma));
  }
  return grid;
}

// The candidates the choice is made among: those that rise, or all when none does.
std::vector<size_t> competitors(const std::vector<DegreeCandidate>& candidates) {
  std::vector<size_t> rising, all;
  for (size_t c = 0; c < candidates.size(); ++c) {
    all.push_back(c);
    if (candidates[c].rises) rising.push_back(c);
  }
  return rising.empty() ? all : rising;
}

size_t best_of(const std::vector<DegreeCandidate>& candidates) {
  const std::vector<size_t> compete = competitors(candidates);
  return *std::min_element(compete.begin(), compete.end(), [&](size_t a, size_t b) {
    return candidates[a].nll < candidates[b].nll;
  });
}

std::vector<double> row_scores(const Samples& samples,
                               const std::vector<GaussianPrediction>& predictions) {
  std::vector<double> scores;
  for (size_t i = 0; i < samples.size(); ++i) {
    scores.push_back(gaussian_nll(samples.y[i], predictions[i].mean, predictions[i].sigma));
  }
  return scores;
}

// Candidates in the order of the grid, from their held-out predictions (candidate, row).
std::vector<DegreeCandidate> score_candidates(
    const Samples& samples, const std::vector<Degrees>& degrees, const GridFits& fits,
    const std::vector<std::vector<GaussianPrediction>>& predictions) {
  std::vector<DegreeCandidate> candidates;
  for (size_t c = 0; c < degrees.size(); ++c) {
    const ClusteredMean score =
        clustered_mean(row_scores(samples, predictions[c]), samples.trajectory);
    candidates.push_back({.degrees = degrees[c],
                          .nll = score.mean,
                          .standard_error = score.standard_error,
                          .paired_error = 0,
                          .rises = fits.model(c, degrees[c]).rises()});
  }
  const std::vector<double> best = row_scores(samples, predictions[best_of(candidates)]);
  for (size_t c = 0; c < candidates.size(); ++c) {
    std::vector<double> behind = row_scores(samples, predictions[c]);
    for (size_t i = 0; i < behind.size(); ++i) behind[i] -= best[i];
    candidates[c].paired_error = clustered_mean(behind, samples.trajectory).standard_error;
  }
  return candidates;
}

}  // namespace

DegreeRule parse_degree_rule(std::string_view name) {
  if (name == "paired") return DegreeRule::paired;
  if (name == "unpaired") return DegreeRule::unpaired;
  throw Error("calibrate", unknown_name("degree rule", name, {"paired", "unpaired"}));
}

Degrees one_standard_error_rule(const std::vector<DegreeCandidate>& candidates, DegreeRule rule) {
  ensure(!candidates.empty(), "there is a candidate");
  const DegreeCandidate& best = candidates[best_of(candidates)];
  const auto order = [](const DegreeCandidate& c) {
    return std::tuple(c.degrees.mean + c.degrees.log_sigma, c.degrees.log_sigma);
  };
  const DegreeCandidate* chosen = &best;
  for (const size_t i : competitors(candidates)) {
    const DegreeCandidate& c = candidates[i];
    // One trajectory that a candidate gets badly wrong moves its difference and the error of that
    // alike; the best one's own error keeps such a candidate out.
    const double margin = rule == DegreeRule::paired
                              ? std::min(c.paired_error, best.standard_error)
                              : best.standard_error;
    if (c.nll - best.nll <= margin && order(c) < order(*chosen)) chosen = &c;
  }
  return chosen->degrees;
}

DegreeChoice select_degrees(const Samples& samples, const ModelForm& form,
                            const DegreeGrid& asked) {
  DegreeChoice choice;
  const int64_t trajectories = count_trajectories(samples.trajectory);
  const int64_t folds = std::min(asked.folds, trajectories);
  const std::vector<int64_t> fold_of = folds < 2 ? std::vector<int64_t>(samples.size(), -1)
                                                 : trajectory_folds(samples.trajectory, folds);
  DegreeGrid grid = asked;
  if (folds < 2) {
    // Nothing can be compared: the lowest degrees, and those only if the rows hold them.
    choice.notes.push_back("one trajectory: nothing to hold out, the lowest degrees are taken");
    grid.highest = grid.lowest;
    grid = feasible(samples, form, grid, std::vector<int64_t>(samples.size(), 1), 1, choice.notes);
    choice.degrees = grid.lowest;
  } else {
    if (folds < asked.folds) {
      choice.notes.push_back(fmt::format("{} trajectories: as many folds", trajectories));
    }
    grid = feasible(samples, form, grid, fold_of, folds, choice.notes);
    const std::vector<Degrees> all = grid_of(grid);
    const GridFits fits(samples, part_of(fold_of, -1).fit, form, grid);
    const auto predictions = cross_validate(samples, form, grid, fits, fold_of, folds);
    choice.candidates = score_candidates(samples, all, fits, predictions);
    choice.degrees = one_standard_error_rule(choice.candidates, grid.rule);
    choice.held_out = predict_held_out(samples, form, choice.degrees,
                                       std::min(asked.held_out_folds, trajectories));
  }
  choice.fit = fit_polynomial_gaussian(samples, form, choice.degrees);
  if (!choice.fit.converged) choice.notes.push_back("the fit did not converge");
  choice.rises = choice.fit.model.rises();
  return choice;
}

}  // namespace roundtrip

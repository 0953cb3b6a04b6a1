#include "roundtrip/calibration/calibrate.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "roundtrip/base/error.h"
#include "roundtrip/base/threads.h"
#include "roundtrip/calibration/signal_table.h"

namespace roundtrip {
namespace {

// Of alarms: indices of the curves whose mean and spread are the reference and of those set aside
// for thresholds, every second one, so that both halves see all kinds of trajectories a dataset
// cycles through.
struct Division {
  std::vector<size_t> fit, aside;
};

Division divide(size_t curves, bool conformal) {
  Division division;
  for (size_t i = 0; i < curves; ++i) {
    const bool aside = conformal && curves >= kFewestToDivide && i % 2 == 1;
    (aside ? division.aside : division.fit).push_back(i);
  }
  return division;
}

std::vector<Curve> take_curves(const std::vector<Curve>& curves, const std::vector<size_t>& some) {
  std::vector<Curve> out;
  for (const size_t i : some) out.push_back(curves[i]);
  return out;
}

DegreeGrid grid_for(const Features& features, const ModelForm& form, DegreeGrid grid) {
  if (features.recipe == Recipe::line) grid.lowest = grid.highest = {1, 0};
  bool polynomial = false;
  for (size_t k = 0; k < form.polynomial.size(); ++k) {
    polynomial = polynomial || (form.polynomial[k] && form.enters(k));
  }
  if (!polynomial) grid.lowest = grid.highest = {0, 0};
  return grid;
}

// The choice among the degrees of the first form whose mean rises with the signal.
DegreeChoice select_rising(const Features& features, const Samples& samples,
                           const DegreeGrid& grid) {
  for (const FormChoice& tried : forms_of(features)) {
    DegreeChoice choice =
        select_degrees(samples, tried.form, grid_for(features, tried.form, grid));
    if (!tried.note.empty()) choice.notes.push_back(tried.note);
    if (choice.rises) return choice;
  }
  throw Bug("a mean without the signal rises with it");
}

// Fits the model and predicts its own rows out of fold.
std::vector<GaussianPrediction> fit_model(Calibrator& calibrator, const Samples& samples,
                                          const DegreeGrid& grid) {
  if (calibrator.features.recipe == Recipe::isotonic) {
    std::vector<GaussianPrediction> held_out;
    calibrator.model = cross_fit_isotonic(samples, grid.held_out_folds, held_out);
    return held_out;
  }
  DegreeChoice choice = select_rising(calibrator.features, samples, grid);
  calibrator.model = std::move(choice.fit.model);
  calibrator.fit.notes = std::move(choice.notes);
  return std::move(choice.held_out);
}

// z of every row: of one that fitted, by the fold that had not seen it; of one that could not (no
// finite logarithm of its signal, or E diverged), by the calibrator, which has not seen it either.
std::vector<DepthScore> conformal_scores(const Calibrator& calibrator,
                                         const std::vector<Curve>& curves, const CurveSamples& rows,
                                         const std::vector<GaussianPrediction>& out_of_fold) {
  std::vector<DepthScore> scores;
  size_t row = 0;
  for (size_t c = 0; c < curves.size(); ++c) {
    const Curve& curve = curves[c];
    const std::vector<double>& target = curve.column(calibrator.key.target);
    for (size_t i = 0; i < curve.size(); ++i) {
      DepthScore score = {.trajectory = static_cast<int64_t>(c),
                          .depth = curve.depths[i],
                          .z = std::numeric_limits<double>::quiet_NaN()};
      const std::vector<double> x = inputs_at(calibrator.features, curve, i);
      const bool fitted = row < rows.samples.size() && rows.curve[row] == score.trajectory &&
                          rows.depth[row] == score.depth;
      if (std::none_of(x.begin(), x.end(), [](double value) { return std::isnan(value); })) {
        const GaussianPrediction prediction = fitted ? out_of_fold[row] : calibrator.predict(x);
        score.z = (std::log(target[i]) - prediction.mean) / prediction.sigma;
      }
      if (fitted) ++row;
      scores.push_back(score);
    }
  }
  return scores;
}

HeldOut held_out_rows(const CurveSamples& rows,
                      const std::vector<GaussianPrediction>& out_of_fold) {
  HeldOut out;
  out.dropped = rows.dropped;
  for (size_t i = 0; i < out_of_fold.size(); ++i) {
    out.add(rows.curve[i], rows.depth[i], rows.samples.y[i], out_of_fold[i]);
  }
  return out;
}

std::vector<Alarm> fit_alarms(const CurveTable& table, const Division& division,
                              const std::vector<double>& levels) {
  std::vector<Alarm> alarms;
  if (division.aside.empty()) return alarms;
  const std::vector<Curve> reference = take_curves(table.curves, division.fit);
  const std::vector<Curve> held_out = take_curves(table.curves, division.aside);
  for (const SignalColumn* column : columns_of_role(SignalRole::signal)) {
    if (!column->alarm || !table.has(column->name)) continue;
    if (const auto alarm = fit_alarm(std::string(column->name), reference, held_out, levels)) {
      alarms.push_back(*alarm);
    }
  }
  return alarms;
}

std::vector<std::string> table_notes(const CurveTable& table, const Division& division,
                                     const CalibrateOptions& options) {
  std::vector<std::string> notes;
  if (!options.conformal) return notes;
  const auto trajectories = static_cast<int64_t>(table.curves.size());
  const auto aside = static_cast<int64_t>(division.aside.size());
  if (aside == 0) {
    notes.push_back(
        fmt::format("{} trajectories: too few to set any aside; no alarm", trajectories));
  }
  for (const double level : options.levels) {
    const int64_t least = fewest_trajectories(level);
    if (trajectories < least) {
      notes.push_back(fmt::format("{} trajectories: a conformal band of level {} needs {}; the "
                                  "Gaussian one stands in for it",
                                  trajectories, level, least));
    }
    if (aside > 0 && aside < least) {
      notes.push_back(fmt::format("{} of {} trajectories are set aside for alarms: one of level {} "
                                  "needs {}, so it never rings",
                                  aside, trajectories, level, least));
    }
  }
  return notes;
}

}  // namespace

CalibratorSet Calibration::set(const std::string& fingerprint) const {
  CalibratorSet set{.fingerprint = fingerprint, .calibrators = {}, .alarms = alarms};
  for (const CalibratedFit& fit : fits) set.calibrators.push_back(fit.calibrator);
  return set;
}

CurveSamples curve_samples(const Features& features, const std::string& target,
                           const std::vector<Curve>& curves) {
  CurveSamples out;
  out.samples.inputs = features.inputs.size();
  for (size_t c = 0; c < curves.size(); ++c) {
    const std::vector<double>& errors = curves[c].column(target);
    for (size_t i = 0; i < curves[c].size(); ++i) {
      const std::vector<double> x = inputs_at(features, curves[c], i);
      const double y = std::log(errors[i]);
      const auto finite = [](double value) { return std::isfinite(value); };
      if (!finite(y) || !std::all_of(x.begin(), x.end(), finite)) {
        ++out.dropped;
        continue;
      }
      out.samples.x.insert(out.samples.x.end(), x.begin(), x.end());
      out.samples.y.push_back(y);
      out.samples.trajectory.push_back(static_cast<int64_t>(c));
      out.curve.push_back(static_cast<int64_t>(c));
      out.depth.push_back(curves[c].depths[i]);
    }
  }
  return out;
}

CalibratedFit calibrate_one(const PlannedFit& plan, const std::vector<Curve>& curves,
                            const CalibrateOptions& options) {
  CalibratedFit out{.calibrator = {}, .baseline = plan.baseline, .held_out = {}};
  Calibrator& calibrator = out.calibrator;
  calibrator.key = plan.key;
  calibrator.features = make_features(plan.key.signal, plan.key.features);
  const CurveSamples rows = curve_samples(calibrator.features, plan.key.target, curves);
  if (rows.samples.size() == 0) {
    throw Error("calibrate", fmt::format("{}: no row has finite logarithms (zeros, infinities or "
                                         "NaN in all {})",
                                         plan.key.text(), rows.dropped));
  }
  const std::vector<GaussianPrediction> out_of_fold =
      fit_model(calibrator, rows.samples, options.grid);
  calibrator.fit.trajectories = count_trajectories(rows.samples.trajectory);
  calibrator.fit.rows = static_cast<int64_t>(rows.samples.size());
  calibrator.fit.dropped = rows.dropped;
  if (rows.dropped > 0) {
    calibrator.fit.notes.push_back(fmt::format("{} of {} rows left out: zero, infinite or NaN",
                                               rows.dropped, rows.dropped + calibrator.fit.rows));
  }
  out.held_out = held_out_rows(rows, out_of_fold);
  if (out_of_fold.empty()) return out;
  std::vector<double> scores;
  for (size_t i = 0; i < out_of_fold.size(); ++i) {
    scores.push_back(gaussian_nll(rows.samples.y[i], out_of_fold[i].mean, out_of_fold[i].sigma));
  }
  const ClusteredMean score = clustered_mean(scores, rows.samples.trajectory);
  calibrator.fit.nll = score.mean;
  calibrator.fit.standard_error = score.standard_error;
  if (options.conformal) {
    calibrator.conformal =
        conformal_table(conformal_scores(calibrator, curves, rows, out_of_fold), options.levels);
  }
  return out;
}

Calibration calibrate(const CurveTable& table, const CalibrateOptions& options) {
  const std::vector<PlannedFit> plan = calibration_plan(table.columns);
  const Division division = divide(table.curves.size(), options.conformal);
  std::vector<std::optional<CalibratedFit>> fits(plan.size());
  std::vector<std::string> failures(plan.size());
  parallel_for(static_cast<int64_t>(plan.size()), options.threads, [&](int64_t i) {
    const auto at = static_cast<size_t>(i);
    try {
      fits[at] = calibrate_one(plan[at], table.curves, options);
    } catch (const Error& error) {
      failures[at] = error.what();
    }
  });
  Calibration out;
  out.notes = table_notes(table, division, options);
  for (size_t i = 0; i < plan.size(); ++i) {
    if (fits[i]) out.fits.push_back(std::move(*fits[i]));
    if (!failures[i].empty()) out.notes.push_back(failures[i]);
  }
  if (out.fits.empty()) throw Error("calibrate", table.where + ": " + out.notes.back());
  out.alarms = fit_alarms(table, division, options.levels);
  return out;
}

const CalibratedFit* best_baseline(const std::vector<CalibratedFit>& fits,
                                  const std::string& target) {
  const CalibratedFit* best = nullptr;
  double least = std::numeric_limits<double>::infinity();
  for (const CalibratedFit& fit : fits) {
    if (!fit.baseline || fit.calibrator.key.target != target || fit.held_out.size() == 0) continue;
    const double nll = gaussian_scores(fit.held_out.predictions()).nll;
    if (nll >= least) continue;
    least = nll;
    best = &fit;
  }
  return best;
}

}  // namespace roundtrip

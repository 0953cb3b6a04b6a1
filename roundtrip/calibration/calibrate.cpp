#include "roundtrip/calibration/calibrate.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "roundtrip/base/error.h"
#include "roundtrip/base/threads.h"

namespace roundtrip {
namespace {

// Places of curves that fit and of those set aside, every second one, so that both halves see all
// kinds of trajectories a dataset cycles through.
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
    calibrator.model = cross_fit_isotonic(samples, grid.folds, held_out);
    return held_out;
  }
  DegreeChoice choice = select_rising(calibrator.features, samples, grid);
  calibrator.model = std::move(choice.fit.model);
  calibrator.fit.notes = std::move(choice.notes);
  return std::move(choice.held_out);
}

// z of every row set aside, diverged ones included.
std::vector<DepthScore> conformal_scores(const Calibrator& calibrator,
                                         const std::vector<Curve>& curves,
                                         const std::vector<size_t>& aside) {
  std::vector<DepthScore> scores;
  for (const size_t c : aside) {
    const Curve& curve = curves[c];
    const std::vector<double>& target = curve.column(calibrator.key.target);
    for (size_t i = 0; i < curve.size(); ++i) {
      DepthScore score = {.trajectory = static_cast<int64_t>(c),
                          .depth = curve.depths[i],
                          .z = std::numeric_limits<double>::quiet_NaN()};
      const std::vector<double> x = inputs_at(calibrator.features, curve, i);
      if (std::none_of(x.begin(), x.end(), [](double value) { return std::isnan(value); })) {
        const GaussianPrediction prediction = calibrator.predict(x);
        score.z = (std::log(target[i]) - prediction.mean) / prediction.sigma;
      }
      scores.push_back(score);
    }
  }
  return scores;
}

// Out-of-fold rows and rows set aside, merged in the order of curves.
HeldOut merge(const CurveSamples& rows, const std::vector<GaussianPrediction>& out_of_fold,
              const HeldOut& aside, const std::vector<size_t>& aside_places) {
  HeldOut out;
  out.dropped = rows.dropped + aside.dropped;
  size_t a = 0, b = 0;
  const size_t own = out_of_fold.size();
  while (a < own || b < aside.size()) {
    const int64_t place =
        b < aside.size() ? static_cast<int64_t>(aside_places[static_cast<size_t>(aside.curve[b])])
                         : 0;
    if (b == aside.size() || (a < own && rows.curve[a] < place)) {
      out.add(rows.curve[a], rows.depth[a], rows.samples.y[a], out_of_fold[a]);
      ++a;
    } else {
      out.add(place, aside.depth[b], aside.y[b], {aside.mean[b], aside.sigma[b]});
      ++b;
    }
  }
  return out;
}

std::vector<Alarm> fit_alarms(const CurveTable& table, const Division& division,
                              const std::vector<double>& levels) {
  std::vector<Alarm> alarms;
  if (division.aside.empty()) return alarms;
  const std::vector<Curve> reference = take_curves(table.curves, division.fit);
  const std::vector<Curve> held_out = take_curves(table.curves, division.aside);
  for (const char* signal : {"C", "C_back", "C_leakfree", "C_averaged", "local_1", "local_2",
                             "local_4", "spread_seed", "spread_ancestral", "fbf"}) {
    if (!table.has(signal)) continue;
    if (const auto alarm = fit_alarm(signal, reference, held_out, levels)) {
      alarms.push_back(*alarm);
    }
  }
  return alarms;
}

std::vector<std::string> table_notes(const CurveTable& table, const Division& division,
                                     const CalibrateOptions& options) {
  std::vector<std::string> notes;
  if (options.conformal && division.aside.empty()) {
    notes.push_back(
        fmt::format("{} trajectories: too few to set any aside; no conformal bands, "
                    "no alarm",
                    table.curves.size()));
  }
  for (const double level : options.levels) {
    const int64_t least = fewest_trajectories(level);
    if (!division.aside.empty() && static_cast<int64_t>(division.aside.size()) < least) {
      notes.push_back(
          fmt::format("{} trajectories set aside: a band of level {} needs {}, so it "
                      "is infinite",
                      division.aside.size(), level, least));
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
                           const std::vector<Curve>& curves, const std::vector<size_t>& chosen) {
  CurveSamples out;
  out.samples.inputs = features.inputs.size();
  for (const size_t c : chosen) {
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
  const Division division = divide(curves.size(), options.conformal);
  CalibratedFit out{.calibrator = {}, .control = plan.control, .held_out = {}};
  Calibrator& calibrator = out.calibrator;
  calibrator.key = plan.key;
  calibrator.features = make_features(plan.key.signal, plan.key.features);
  const CurveSamples rows =
      curve_samples(calibrator.features, plan.key.target, curves, division.fit);
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
  if (!out_of_fold.empty()) {
    std::vector<double> scores;
    for (size_t i = 0; i < out_of_fold.size(); ++i) {
      scores.push_back(gaussian_nll(rows.samples.y[i], out_of_fold[i].mean, out_of_fold[i].sigma));
    }
    const ClusteredMean score = clustered_mean(scores, rows.samples.trajectory);
    calibrator.fit.nll = score.mean;
    calibrator.fit.standard_error = score.standard_error;
  }
  if (!division.aside.empty()) {
    calibrator.conformal =
        conformal_table(conformal_scores(calibrator, curves, division.aside), options.levels);
  }
  out.held_out =
      merge(rows, out_of_fold, predict_curves(calibrator, take_curves(curves, division.aside)),
            division.aside);
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

const CalibratedFit* best_control(const std::vector<CalibratedFit>& fits,
                                  const std::string& target) {
  const CalibratedFit* best = nullptr;
  double least = std::numeric_limits<double>::infinity();
  for (const CalibratedFit& fit : fits) {
    if (!fit.control || fit.calibrator.key.target != target || fit.held_out.size() == 0) continue;
    const double nll = gaussian_scores(fit.held_out.predictions()).nll;
    if (nll >= least) continue;
    least = nll;
    best = &fit;
  }
  return best;
}

}  // namespace roundtrip

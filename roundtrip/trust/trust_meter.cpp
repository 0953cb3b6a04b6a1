#include "roundtrip/trust/trust_meter.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "roundtrip/base/depths.h"
#include "roundtrip/base/error.h"
#include "roundtrip/calibration/signal_table.h"

namespace roundtrip {
namespace {

std::string signal_with(const std::string& column) {
  if (const SignalEntry* entry = signal_of_column(column)) return std::string(entry->name);
  throw Error("trust", fmt::format("{}: no signal of this version gives it", column));
}

}  // namespace

void require_calibrators_of(const Surrogate& surrogate, const CalibratorSet& calibrators) {
  if (calibrators.fingerprint == surrogate.fingerprint) return;
  throw Error("trust", fmt::format("the calibrators: expected those of this model and sampling "
                                   "({:.12}...), found others ({:.12}...); `cycle` and `calibrate` "
                                   "again (`trust --any-calibrators` takes them as they are)",
                                   surrogate.fingerprint, calibrators.fingerprint));
}

std::vector<int64_t> geometric_depths(int64_t depth) {
  std::vector<int64_t> depths = doubling_depths(depth);
  if (depths.back() < depth) depths.push_back(depth);
  return depths;
}

TrustMeter::TrustMeter(const Surrogate& surrogate, const CalibratorSet& calibrators,
                       const TrustRequest& request,
                       const std::vector<MeasuredTrajectory>& trajectories, bool any_calibrators)
    : request_(request), calibrators_(calibrators), curves_(trajectories.size()) {
  if (!any_calibrators) require_calibrators_of(surrogate, calibrators);
  if (request_.check_depths.empty()) request_.check_depths = geometric_depths(request.depth);
  if (request_.check_depths.back() > request.depth) {
    throw Error("trust", fmt::format("check depths: expected none beyond the depth {}, found {}",
                                     request.depth, request_.check_depths.back()));
  }
  if (request_.check_depths.back() < request.depth) request_.check_depths.push_back(request.depth);
  used_.push_back(&calibrators.find({"E", request.signal, request.features}));
  check_depths(*used_.front());
  for (const Calibrator& calibrator : calibrators.calibrators) {
    const CalibratorKey& key = calibrator.key;
    if (is_field_error(key.target) && key.signal == request.signal &&
        key.features == request.features) {
      used_.push_back(&calibrator);
    }
  }
  if (!used_.front()->causal()) {
    throw Error("trust", fmt::format("{}: expected features that need nothing deeper, found ones "
                                     "that look at the whole rollout",
                                     request.features));
  }
  if (request.stop && !request.tolerance && !request.tolerance_c) {
    throw Error("trust", "--stop: expected a tolerance to stop at, found none");
  }
  for (const Alarm& alarm : calibrators.alarms) {
    if (alarm.threshold(request.level)) continue;
    throw Error("trust", fmt::format("level: expected one of {}, which the calibrators know, "
                                     "found {}",
                                     fmt::join(alarm.levels, ", "), request.level));
  }
  std::set<std::string> names = {signal_with(request.signal)};
  for (const Calibrator* calibrator : used_) {
    for (const std::string& column : columns_of(calibrator->features)) {
      names.insert(signal_with(column));
    }
  }
  MeasureRequest measured{.depths = request_.check_depths,
                          .signals = {names.begin(), names.end()},
                          .batch = request.batch};
  if (names.contains("seed_knn")) {
    throw Error("trust", "seed_knn: expected a signal that needs no training data, found one");
  }
  meter_ = std::make_unique<Meter>(surrogate, measured);
  live_ = std::make_unique<LiveMeter>(*meter_, trajectories);
  steps_.resize(trajectories.size());
}

TrustMeter::~TrustMeter() = default;

// Calibrators clamp what they have not seen: a depth beyond theirs would look like their deepest.
void TrustMeter::check_depths(const Calibrator& calibrator) const {
  const std::vector<int64_t> known = calibrated_depths(calibrator);
  if (known.empty()) return;  // they do not say
  if (request_.depth > known.back()) {
    throw Error("trust", fmt::format("--depth: expected at most {}, the deepest the calibrators "
                                     "know, found {}; measure deeper with `cycle` and `calibrate`",
                                     known.back(), request_.depth));
  }
  if (request_.features != "prefix_mean") return;
  for (size_t i = 0; i < request_.check_depths.size(); ++i) {
    if (i < known.size() && request_.check_depths[i] == known[i]) continue;
    throw Error("trust",
                fmt::format("prefix_mean: expected the check depths of the calibration ({}), since "
                            "it takes means over them, found {}",
                            fmt::join(known, ","), fmt::join(request_.check_depths, ",")));
  }
}

TrustStep TrustMeter::step_of(size_t trajectory, const LiveStep& live) {
  TrustStep step;
  step.depth = live.depth;
  step.frame = live.frame;
  step.checked = live.checked;
  if (!live.checked) return step;
  std::map<std::string, double> values;
  for (size_t c = 0; c < meter_->columns().size(); ++c) {
    values[meter_->columns()[c]] = live.signals[c];
  }
  Curve& curve = curves_[trajectory];
  curve.add(live.depth, values);
  step.signal = values.at(request_.signal);
  for (const Calibrator* calibrator : used_) {
    step.errors.push_back(predict_error(*calibrator, curve, curve.size() - 1, request_.level));
  }
  for (const Alarm& alarm : calibrators_.alarms) {
    if (alarm.signal != request_.signal) continue;
    step.alarm_score = alarm.score(live.depth, values.at(alarm.column_read()));
  }
  return step;
}

const std::vector<TrustStep>& TrustMeter::next() {
  const auto& live = live_->next();
  for (size_t i = 0; i < live.size(); ++i) {
    if (steps_[i].depth == live[i].depth) continue;  // stopped before
    steps_[i] = step_of(i, live[i]);
    ++plain_steps_;
    if (!request_.stop || !live[i].checked) continue;
    if (summary(i).trusted.first_crossing < live[i].depth) live_->stop(i);
  }
  return steps_;
}

// Either rule, or both: the worse of the two in units of its tolerance. What is no longer a number
// is trusted by no rule.
double TrustMeter::worst_bound(const Curve& curve, size_t at) const {
  const double signal = curve.column(request_.signal)[at];
  const double upper = predict_error(*used_.front(), curve, at, request_.level).bounds().upper;
  if (!std::isfinite(signal) || std::isnan(upper)) return std::numeric_limits<double>::infinity();
  double over = 0;
  if (request_.tolerance) over = std::max(over, upper / *request_.tolerance);
  if (request_.tolerance_c) over = std::max(over, signal / *request_.tolerance_c);
  return over;
}

TrustSummary TrustMeter::summary(size_t trajectory) const {
  const Curve& curve = curves_[trajectory];
  TrustSummary summary;
  std::vector<double> bounds;
  for (size_t at = 0; at < curve.size(); ++at) {
    bounds.push_back(worst_bound(curve, at));
  }
  summary.trusted = trusted_depth(curve.depths, bounds, 1.0);
  summary.alarm = alarm_state(calibrators_, request_.signal, curve, request_.level);
  return summary;
}

double TrustMeter::cost() const {
  return static_cast<double>(live_->row_steps()) /
         static_cast<double>(std::max<int64_t>(1, plain_steps_));
}

}  // namespace roundtrip

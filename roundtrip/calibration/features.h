#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "roundtrip/base/registry.h"
#include "roundtrip/calibration/curves.h"
#include "roundtrip/calibration/polynomial_gaussian.h"

namespace roundtrip {

/// One number a calibrator reads at a depth of a rollout.
struct Input {
  enum class Kind {
    log_signal,       // log of a column
    log_depth,        // log of the depth
    trajectory_mean,  // of log of a column over all depths of the curve
    prefix_mean,      // over the depths up to this one
    early_level,      // mean over the first quarter of the curve's depths
    slope,            // of log of a column against log depth, least squares over the curve
  };
  Kind kind = Kind::log_signal;
  std::string signal = {};  // the column; empty for the depth

  /// "log C", "prefix mean log C", "log depth": as it stands in calibrators.json.
  std::string name() const;
};

/// How the inputs become a calibrator.
enum class Recipe {
  polynomial,  // degrees by cross-validation
  line,        // degrees (1, 0): slope, intercept, scatter
  isotonic,    // any non-decreasing mean, constant scatter
};

/// A calibrator's inputs and how they enter. The signal comes first.
struct Features {
  std::vector<Input> inputs;
  ModelForm form;
  Recipe recipe = Recipe::polynomial;
};

/// One way to use a signal.
struct FeatureEntry {
  std::string_view name;
  std::string_view summary;
  bool causal;  // needs nothing deeper than the depth it predicts
  Features (*make)(const std::string& signal);
};

/// All ways, by hand. A signal is a column of curves.csv, or "depth", or "none" (a constant).
const Registry<FeatureEntry>& feature_sets();

/// The features called `name` of a signal; an Error that lists the known ones.
Features make_features(const std::string& signal, std::string_view name);

/// A form to fit, and why not the one before it.
struct FormChoice {
  ModelForm form;
  std::string note;  // empty for the first
};

/// The form of `features`, then ever simpler ones for data in which its mean falls with the signal:
/// without products of the signal's inputs, without the signal itself beside its means, without
/// anything made of it. The last always rises. A baseline has its own form alone.
std::vector<FormChoice> forms_of(const Features& features);

/// The inputs at place `at` of a curve. Infinite where a logarithm is (a calibrator clamps that);
/// means and slopes are over the depths where the logarithm is finite, and NaN where there is none.
std::vector<double> inputs_at(const Features& features, const Curve& curve, size_t at);

/// The columns `features` reads.
std::vector<std::string> columns_of(const Features& features);

}  // namespace roundtrip

#include "roundtrip/calibration/features.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "roundtrip/base/error.h"
#include "roundtrip/calibration/signal_table.h"

// Five coefficients for a mean over the curve, m, beside the depth d: a1 m + a2 d + a3 m d in the
// mean, b1 m + b2 d in log sigma. The temporal shape adds its level and slope to those. Beside the
// depth alone, signal and depth enter alike, each as a polynomial, with their product: a signal
// that says much at depth 1 and little at depth 30 (a seed) is as well served as one that does not
// fade, and a baseline is no weaker than what it is held against.

namespace roundtrip {
namespace {

using Kind = Input::Kind;

Features alone(const std::string& signal) {
  if (signal == "none") return {};
  const Input input = signal == "depth" ? Input{Kind::log_depth} : Input{Kind::log_signal, signal};
  return {.inputs = {input}, .form = {.polynomial = {true}, .products = {}}};
}

Features with_recipe(const std::string& signal, Recipe recipe) {
  Features features = alone(signal);
  features.recipe = recipe;
  return features;
}

Features with_depth(const std::string& signal) {
  return {.inputs = {{Kind::log_signal, signal}, {Kind::log_depth}},
          .form = {.polynomial = {true, true}, .products = {{0, 1}}}};
}

Features with_mean(const std::string& signal, Kind mean) {
  return {.inputs = {{Kind::log_signal, signal}, {mean, signal}, {Kind::log_depth}},
          .form = {.polynomial = {true, false, false}, .products = {{1, 2}}}};
}

Features with_shape(const std::string& signal) {
  Features features = with_mean(signal, Kind::trajectory_mean);
  for (const Kind kind : {Kind::early_level, Kind::slope}) {
    features.inputs.push_back({kind, signal});
    features.form.polynomial.push_back(false);
  }
  return features;
}

Features with_signal(const std::string& signal, const char* other) {
  return {.inputs = {{Kind::log_signal, signal}, {Kind::log_signal, other}, {Kind::log_depth}},
          .form = {.polynomial = {true, false, false}, .products = {}}};
}

// A factor on the signal shifts these by its logarithm; a slope it leaves alone.
bool is_level_of(const Input& input, const std::string& signal) {
  return input.signal == signal && input.kind != Kind::log_depth && input.kind != Kind::slope;
}

ModelForm without_products(ModelForm form, const std::vector<bool>& inputs) {
  std::erase_if(form.products, [&](const std::pair<size_t, size_t>& product) {
    return inputs[product.first] || inputs[product.second];
  });
  return form;
}

ModelForm without_inputs(ModelForm form, const std::vector<bool>& inputs) {
  form.left_out = inputs;
  return without_products(std::move(form), inputs);
}

// Mean of log column over places [0, end) where it is finite.
double mean_log(const std::vector<double>& column, size_t end) {
  double sum = 0;
  int64_t count = 0;
  for (size_t i = 0; i < end; ++i) {
    const double x = std::log(column[i]);
    if (!std::isfinite(x)) continue;
    sum += x;
    ++count;
  }
  return count == 0 ? std::numeric_limits<double>::quiet_NaN() : sum / static_cast<double>(count);
}

// 0 with fewer than two depths: no slope is visible yet.
double slope_log(const Curve& curve, const std::vector<double>& column) {
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (size_t i = 0; i < column.size(); ++i) {
    const double x = std::log(static_cast<double>(curve.depths[i])), y = std::log(column[i]);
    if (!std::isfinite(y)) continue;
    n += 1;
    sx += x;
    sy += y;
    sxx += x * x;
    sxy += x * y;
  }
  return n < 2 ? 0 : (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

double input_at(const Input& input, const Curve& curve, size_t at) {
  if (input.kind == Kind::log_depth) return std::log(static_cast<double>(curve.depths[at]));
  const std::vector<double>& column = curve.column(input.signal);
  switch (input.kind) {
    case Kind::trajectory_mean:
      return mean_log(column, column.size());
    case Kind::prefix_mean:
      return mean_log(column, at + 1);
    case Kind::early_level:
      return mean_log(column, std::max<size_t>(1, column.size() / 4));
    case Kind::slope:
      return slope_log(curve, column);
    default:
      return std::log(column[at]);
  }
}

}  // namespace

std::string Input::name() const {
  switch (kind) {
    case Kind::log_depth:
      return "log depth";
    case Kind::trajectory_mean:
      return "mean log " + signal;
    case Kind::prefix_mean:
      return "prefix mean log " + signal;
    case Kind::early_level:
      return "early log " + signal;
    case Kind::slope:
      return "slope log " + signal;
    default:
      return "log " + signal;
  }
}

const Registry<FeatureEntry>& feature_sets() {
  static const Registry<FeatureEntry> rows = {
      {"alone", "a polynomial in the log of the signal", true, alone},
      {"depth", "polynomials in the logs of signal and depth, and their product", true, with_depth},
      {"prefix_mean", "the signal, its mean so far and the depth", true,
       [](const std::string& signal) { return with_mean(signal, Kind::prefix_mean); }},
      {"trajectory_mean", "the signal, its mean over the whole rollout and the depth", false,
       [](const std::string& signal) { return with_mean(signal, Kind::trajectory_mean); }},
      {"shape", "trajectory_mean, the curve's early level and its slope", false, with_shape},
      {"line", "slope, intercept and scatter", true,
       [](const std::string& signal) { return with_recipe(signal, Recipe::line); }},
      {"isotonic", "any non-decreasing mean, constant scatter", true,
       [](const std::string& signal) { return with_recipe(signal, Recipe::isotonic); }},
      {"spread_seed", "the signal, the spread over initial noises and the depth", true,
       [](const std::string& signal) { return with_signal(signal, "spread_seed"); }},
      {"spread_ancestral", "the signal, the spread of ancestral samples and the depth", true,
       [](const std::string& signal) { return with_signal(signal, "spread_ancestral"); }},
      {"local_1", "the signal, cycles of one step and the depth", true,
       [](const std::string& signal) { return with_signal(signal, "local_1"); }},
      {"local_2", "the signal, cycles of two steps and the depth", true,
       [](const std::string& signal) { return with_signal(signal, "local_2"); }},
      {"local_4", "the signal, cycles of four steps and the depth", true,
       [](const std::string& signal) { return with_signal(signal, "local_4"); }},
  };
  return rows;
}

Features make_features(const std::string& signal, std::string_view name) {
  const FeatureEntry& row = find_entry(feature_sets(), "features", name);
  // Neither is a column: whatever else would read it finds nothing.
  if ((signal == "none" || signal == "depth") && row.name != "alone") {
    throw Error("features", "signal " + signal + " is used alone, found " + std::string(name));
  }
  Features features = row.make(signal);
  for (const Input& input : features.inputs) {
    features.form.level.push_back(!is_baseline(signal) && is_level_of(input, signal));
  }
  return features;
}

std::vector<FormChoice> forms_of(const Features& features) {
  std::vector<FormChoice> forms = {{features.form, ""}};
  if (features.inputs.empty() || !features.form.is_level(0)) return forms;
  std::vector<bool> first(features.inputs.size(), false), all;
  first[0] = true;
  for (const Input& input : features.inputs) {
    all.push_back(input.signal == features.inputs[0].signal);
  }
  const auto add = [&](ModelForm form, const char* note) {
    const bool known = std::any_of(forms.begin(), forms.end(),
                                   [&](const FormChoice& other) { return other.form == form; });
    if (!known) forms.push_back({std::move(form), note});
  };
  add(without_products(features.form, all),
      "fitted without products of the signal: with them the mean falls with it at some depths");
  if (all != first) {
    const ModelForm means = without_inputs(features.form, first);
    const char* note = "the signal itself is left out, its means stay: the mean would fall with it";
    add(means, note);
    add(without_products(means, all), note);
  }
  add(without_inputs(features.form, all),
      "the signal is left out: at all degrees tried the mean would fall with it");
  return forms;
}

std::vector<double> inputs_at(const Features& features, const Curve& curve, size_t at) {
  std::vector<double> x;
  for (const Input& input : features.inputs) x.push_back(input_at(input, curve, at));
  return x;
}

std::vector<std::string> columns_of(const Features& features) {
  std::vector<std::string> columns;
  for (const Input& input : features.inputs) {
    if (!input.signal.empty()) columns.push_back(input.signal);
  }
  return columns;
}

}  // namespace roundtrip

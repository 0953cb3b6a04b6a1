#include "roundtrip/calibration/calibrate.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "calibration/simulated.h"
#include "roundtrip/base/json_text.h"
#include "roundtrip/calibration/calibrator_file.h"
#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

using testing::Contains;
using testing::HasSubstr;

const CalibratedFit& find(const Calibration& calibration, const CalibratorKey& key) {
  for (const CalibratedFit& fit : calibration.fits) {
    if (fit.calibrator.key == key) return fit;
  }
  throw Bug("no such fit: " + key.text());
}

std::string to_text(const Calibration& calibration) {
  return calibrators_to_json(calibration.set(""), nlohmann::ordered_json::object());
}

CurveTable curves(const std::string& text) { return curves_from(parse_csv(text, "t.csv")); }

TEST(Calibrate, TheRoundTripBeatsItsBaselines) {
  const Calibration calibration = calibrate(simulated_curves(60, 10), {});
  EXPECT_TRUE(calibration.notes.empty());
  EXPECT_EQ(best_baseline(calibration.fits, "E")->calibrator.key.signal, "seed_step");
  const HeldOut& signal = find(calibration, {"E", "C", "alone"}).held_out;
  EXPECT_EQ(signal.size(), 600u);  // every row predicted by a fit that had not seen it
  EXPECT_TRUE(std::is_sorted(signal.curve.begin(), signal.curve.end()));
  const ClusteredMean over = gain(signal, best_baseline(calibration.fits, "E")->held_out);
  EXPECT_GT(over.mean, 4 * over.standard_error);
  // sigma of log E given log C: C = E exp(noise of 0.1), so near 0.1.
  const Scores scores = score(signal.predictions());
  EXPECT_NEAR(scores.gaussian.rmse, 0.1, 0.015);
  EXPECT_NEAR(scores.gaussian.cov95, 0.954, 0.03);
}

TEST(Calibrate, RowOrderAndThreadsChangeNoBit) {
  const std::string text = simulated_csv(20, 5);
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  std::reverse(lines.begin() + 1, lines.end());
  std::string reversed;
  for (const std::string& line : lines) reversed += line + "\n";
  CalibrateOptions two;
  two.threads = 2;
  EXPECT_EQ(to_text(calibrate(curves(text), {})), to_text(calibrate(curves(reversed), two)));
}

// Every trajectory fits, and every score is of a fold that had not seen its trajectory: quantiles
// are those of the held-out rows, row by row.
TEST(Calibrate, QuantilesAreThoseOfHeldOutScores) {
  const Calibration calibration = calibrate(simulated_curves(20, 5), {});
  for (const CalibratedFit& fit : calibration.fits) {
    EXPECT_EQ(fit.calibrator.fit.trajectories, 20);
    for (int64_t depth = 1; depth <= 5; ++depth) {
      std::vector<double> sizes, upper;
      for (size_t i = 0; i < fit.held_out.size(); ++i) {
        if (fit.held_out.depth[i] != depth) continue;
        upper.push_back((fit.held_out.y[i] - fit.held_out.mean[i]) / fit.held_out.sigma[i]);
        sizes.push_back(std::abs(upper.back()));
      }
      const ConformalGroup& group = *fit.calibrator.conformal.find(depth);
      EXPECT_EQ(group.trajectories, 20);
      EXPECT_EQ(group.two_sided[0], conformal_quantile(sizes, 0.9));
      EXPECT_EQ(group.upper[1], conformal_quantile(upper, 0.95));
    }
  }
}

// The signal loosens with depth in a way one curve for all depths cannot follow: log E leaves the
// line by ever more. The calibrator's own band fails at the deepest depth; the conformal one holds.
std::vector<Curve> drifting_curves(uint64_t first, uint64_t count) {
  std::vector<Curve> curves;
  for (uint64_t t = first; t < first + count; ++t) {
    const RandomStream noise(21, "test.drift", t);
    Curve curve;
    for (int64_t d = 1; d <= 6; ++d) {
      const auto at = static_cast<uint64_t>(2 * d);
      const double log_c = 2 * noise.normal(at);
      const double loose = d == 6 ? 1.5 : 0.2;
      curve.add(d, {{"C", std::exp(log_c)}, {"E", std::exp(log_c + loose * noise.normal(at + 1))}});
    }
    curves.push_back(curve);
  }
  return curves;
}

TEST(Calibrate, ConformalBandsHoldWhereTheCalibratorFails) {
  const PlannedFit plan = {.key = {"E", "C", "alone"}, .baseline = false};
  const Calibrator calibrator = calibrate_one(plan, drifting_curves(0, 400), {}).calibrator;
  const std::vector<Curve> fresh = drifting_curves(1000, 4000);
  for (size_t level = 0; level < 2; ++level) {
    for (const int64_t depth : {1, 6}) {
      const ConformalGroup& group = *calibrator.conformal.find(depth);
      ASSERT_EQ(group.trajectories, 400);
      double inside = 0, plain = 0;
      for (const Curve& curve : fresh) {
        const auto at = static_cast<size_t>(depth - 1);
        const GaussianPrediction p = calibrator.predict(curve, at);
        const double z = (std::log(curve.column("E")[at]) - p.mean) / p.sigma;
        inside += std::abs(z) <= group.two_sided[level] ? 1 : 0;
        plain += std::abs(z) <= (level == 0 ? 1.645 : 1.96) ? 1 : 0;
      }
      const double exact = std::ceil(401 * (level == 0 ? 0.9 : 0.95) - 1e-9) / 401;
      // The coverage of one table is Beta-distributed; 4000 fresh trajectories measure it.
      const double error = std::sqrt(exact * (1 - exact) * (1.0 / 402 + 1.0 / 4000));
      EXPECT_NEAR(inside / 4000, exact, 4 * error) << depth;
      if (depth == 6) {
        EXPECT_LT(plain / 4000, exact - 0.2);
      }
    }
  }
}

TEST(Calibrate, PredictsWhileARolloutRuns) {
  const Calibration calibration = calibrate(simulated_curves(20, 5), {});
  const CurveTable fresh = simulated_curves(2, 5, 50);
  const CalibratorSet set = calibration.set("");
  const Calibrator& calibrator = set.find({"E", "C", "prefix_mean"});
  Curve so_far;
  const Curve& whole = fresh.curves[0];
  for (size_t i = 0; i < whole.size(); ++i) {
    so_far.add(whole.depths[i], {{"C", whole.column("C")[i]}});
    EXPECT_EQ(calibrator.predict(so_far, i).mean, calibrator.predict(whole, i).mean);
  }
}

// --- A larger signal never predicts a smaller error ----------------------------------------------

/// log E at a depth, given log C and noise.
using ErrorRule = std::function<double(double log_c, double log_depth, double noise)>;

CurveTable ruled_table(const ErrorRule& rule, int64_t trajectories = 40, int64_t depths = 8) {
  std::string text = "split,trajectory,depth,C,local_2,seed_step,E\n";
  for (int64_t t = 0; t < trajectories; ++t) {
    const RandomStream random(31, "test.ruled", static_cast<uint64_t>(t));
    for (int64_t d = 1; d <= depths; ++d) {
      const auto at = static_cast<uint64_t>(4 * d);
      const double log_depth = std::log(static_cast<double>(d));
      const double log_c = log_depth + random.normal(0) + 0.5 * random.normal(at);
      const double e = rule(log_c, log_depth, random.normal(at + 1));
      text += fmt::format("calibration,{},{},{:.9g},{:.9g},{:.9g},{:.9g}\n", t, d, std::exp(log_c),
                          std::exp(e + 0.1 * random.normal(at + 2)), std::exp(-random.normal(0)),
                          std::exp(e));
    }
  }
  return curves_from(parse_csv(text, "ruled.csv"));
}

// The prediction wherever a grid over the support of all inputs has a point, as the signal grows,
// alone and with its means; shares nothing with the test that fits use.
void expect_rising(const Calibrator& calibrator) {
  const auto& model = std::get<PolynomialGaussian>(calibrator.model);
  const size_t n = model.inputs.size();
  constexpr int kCorners = 5, kSteps = 60;
  int combinations = 1;
  for (size_t k = 0; k < n; ++k) combinations *= kCorners;
  for (int which = 0; which < combinations; ++which) {
    std::vector<double> start(n);
    for (size_t k = 0, rest = static_cast<size_t>(which); k < n; ++k, rest /= kCorners) {
      const InputRange& range = model.inputs[k];
      start[k] = range.low + (range.high - range.low) * static_cast<double>(rest % kCorners) /
                                 (kCorners - 1);
    }
    for (const bool together : {false, true}) {
      std::vector<double> x = start;
      const double step = (model.inputs[0].high - model.inputs[0].low) / kSteps;
      for (int i = 0; i < kSteps; ++i) {
        std::vector<double> next = x;
        bool inside = true;
        for (size_t k = 0; k < n; ++k) {
          if (k > 0 && !(together && calibrator.features.form.level[k])) continue;
          next[k] += step;
          inside = inside && next[k] <= model.inputs[k].high;
        }
        if (!inside) break;
        ASSERT_GE(model.predict(next).mean, model.predict(x).mean - 1e-9) << calibrator.key.text();
        x = next;
      }
    }
  }
}

void expect_all_rising(const CurveTable& table) {
  for (const CalibratedFit& fit : calibrate(table, {}).fits) {
    const auto* model = std::get_if<PolynomialGaussian>(&fit.calibrator.model);
    if (model != nullptr && !model->inputs.empty() && !fit.baseline) expect_rising(fit.calibrator);
  }
}

TEST(Calibrate, NoMeanFallsWithItsSignal) {
  // Rises; falls; falls at the deepest depths alone; falls below a level; is nothing but noise.
  expect_all_rising(ruled_table([](double c, double d, double e) { return c + d + 0.2 * e; }));
  expect_all_rising(ruled_table([](double c, double d, double e) { return d - c + 0.2 * e; }));
  expect_all_rising(
      ruled_table([](double c, double d, double e) { return (1.5 - d) * c + 0.2 * e; }));
  expect_all_rising(
      ruled_table([](double c, double d, double e) { return d + 0.3 * c * c + 0.2 * e; }));
  expect_all_rising(ruled_table([](double, double d, double e) { return d + e; }));
}

TEST(Calibrate, ASignalThatFallsIsLeftOut) {
  const CurveTable table =
      ruled_table([](double c, double d, double e) { return d - c + 0.2 * e; });
  const Calibration calibration = calibrate(table, {});
  const char* note = "the signal is left out: at all degrees tried the mean would fall with it";
  for (const char* features : {"alone", "line", "depth"}) {
    const CalibratedFit& fit = find(calibration, {"E", "C", features});
    EXPECT_THAT(fit.calibrator.fit.notes, Contains(note)) << features;
  }
  // What remains of C and depth is the depth, of C alone a constant, exactly as the baselines are.
  const auto expect_same = [&](const CalibratorKey& key, const CalibratorKey& baseline) {
    const HeldOut& ours = find(calibration, key).held_out;
    const HeldOut& theirs = find(calibration, baseline).held_out;
    ASSERT_EQ(ours.size(), theirs.size());
    for (size_t i = 0; i < ours.size(); ++i) EXPECT_NEAR(ours.mean[i], theirs.mean[i], 1e-9);
  };
  expect_same({"E", "C", "depth"}, {"E", "depth", "alone"});
  expect_same({"E", "C", "alone"}, {"E", "none", "alone"});
  // The file holds the simpler form.
  const std::string json = to_text(calibration);
  const CalibratorSet back = calibrators_from_json(json, "t.json");
  EXPECT_EQ(back.find({"E", "C", "depth"}).predict(table.curves[0], 3).mean,
            find(calibration, {"E", "C", "depth"}).calibrator.predict(table.curves[0], 3).mean);
}

TEST(Calibrate, ABaselineMayFall) {
  const CurveTable table =
      ruled_table([](double c, double d, double e) { return c + d + 0.2 * e; });
  const Calibration calibration = calibrate(table, {});
  const CalibratedFit& fit = find(calibration, {"E", "seed_step", "depth"});
  const auto& model = std::get<PolynomialGaussian>(fit.calibrator.model);
  EXPECT_LT(model.least_slope(std::vector{1.0, 0.0}), -0.1);
  EXPECT_TRUE(fit.calibrator.fit.notes.empty());
}

TEST(Calibrate, ASignalThatFallsDeepLosesItsProduct) {
  const CurveTable table =
      ruled_table([](double c, double d, double e) { return d + (1.5 - d) * c + 0.2 * e; });
  const Calibration calibration = calibrate(table, {});
  const Calibrator& calibrator = find(calibration, {"E", "C", "depth"}).calibrator;
  EXPECT_THAT(calibrator.fit.notes, Contains(HasSubstr("without products of the signal")));
  const auto& model = std::get<PolynomialGaussian>(calibrator.model);
  EXPECT_GE(model.least_slope(std::vector{1.0, 0.0}), 0);
  EXPECT_GT(model.mean[1], 0.1);  // and still used
}

// --- Degenerate tables: a clear line or a stated fallback, never a silent NaN
// ---------------------

void expect_numbers(const nlohmann::ordered_json& json, const std::string& path) {
  if (json.is_structured()) {
    for (const auto& [key, value] : json.items()) expect_numbers(value, path + "/" + key);
    return;
  }
  if (!json.is_null()) return;
  // null is what JSON makes of NaN and infinity: only where infinity or "none" is meant.
  const bool meant = path.find("/two_sided/") != std::string::npos ||
                     path.find("/upper/") != std::string::npos ||
                     path.find("/thresholds/") != std::string::npos || path.ends_with("/fit/nll") ||
                     path.ends_with("/conformal/all_depths") ||
                     path.ends_with("/fit/standard_error");
  EXPECT_TRUE(meant) << path;
}

Calibration expect_sound(const std::string& text) {
  Calibration calibration = calibrate(curves(text), {});
  const std::string json = to_text(calibration);
  expect_numbers(read_json(json), "");
  calibrators_from_json(json, "t.json");
  for (const CalibratedFit& fit : calibration.fits) {
    if (fit.held_out.size() > 0) {
      EXPECT_TRUE(std::isfinite(score(fit.held_out.predictions()).gaussian.nll))
          << fit.calibrator.key.text();
    }
  }
  return calibration;
}

std::string table(int64_t trajectories, int64_t depths,
                  const std::function<std::string(int64_t, int64_t)>& cells) {
  std::string text = "split,trajectory,depth,C,E\n";
  for (int64_t t = 0; t < trajectories; ++t) {
    for (int64_t d = 1; d <= depths; ++d) {
      text += fmt::format("calibration,{},{},{}\n", t, d, cells(t, d));
    }
  }
  return text;
}

std::string ordinary(int64_t t, int64_t d) {
  const double c = 0.1 * static_cast<double>(d) * (1.0 + 0.05 * static_cast<double>(t * 7 % 11));
  return fmt::format("{},{}", c, 2 * c * (1 + 0.1 * std::sin(static_cast<double>(13 * t + d))));
}

TEST(Calibrate, ConstantSignal) {
  const Calibration calibration = expect_sound(table(
      12, 6, [](int64_t t, int64_t d) { return fmt::format("0.5,{}", 0.1 + 0.01 * (t + d)); }));
  const CalibratedFit& fit = find(calibration, {"E", "C", "alone"});
  EXPECT_THAT(fit.calibrator.fit.notes, Contains(HasSubstr("never varies")));
}

TEST(Calibrate, OneTrajectory) {
  const Calibration calibration = expect_sound(table(1, 20, ordinary));
  EXPECT_THAT(calibration.notes, Contains(HasSubstr("too few to set any aside")));
  const CalibratedFit& fit = find(calibration, {"E", "C", "alone"});
  EXPECT_EQ(fit.held_out.size(), 0u);
  EXPECT_FALSE(fit.calibrator.fit.nll.has_value());
  EXPECT_THAT(fit.calibrator.fit.notes, Contains(HasSubstr("nothing to hold out")));
}

TEST(Calibrate, FewTrajectoriesHaveNoConformalBands) {
  const Calibration calibration = expect_sound(table(6, 5, ordinary));
  EXPECT_THAT(calibration.notes, Contains("6 trajectories: a conformal band of level 0.95 needs "
                                          "19; the Gaussian one stands in for it"));
  EXPECT_THAT(calibration.notes, Contains("3 of 6 trajectories are set aside for alarms: one of "
                                          "level 0.9 needs 9, so it never rings"));
  const ConformalTable& bands = find(calibration, {"E", "C", "alone"}).calibrator.conformal;
  EXPECT_TRUE(std::isinf(bands.find(1)->upper[1]));
  EXPECT_FALSE(bands.at(1, 0.95).has_value());
}

TEST(Calibrate, ZerosAndInfinitiesAreLeftOutAndCounted) {
  const auto cells = [](int64_t t, int64_t d) -> std::string {
    if (t == 2 && d == 1) return "0,0.3";
    if (t == 4 && d == 2) return "0.3,0";
    if (t == 6) return "inf,inf";
    return ordinary(t, d);
  };
  const Calibration calibration = expect_sound(table(20, 5, cells));
  const Calibrator& calibrator = find(calibration, {"E", "C", "alone"}).calibrator;
  EXPECT_EQ(calibrator.fit.dropped, 7);
  EXPECT_THAT(calibrator.fit.notes, Contains("7 of 100 rows left out: zero, infinite or NaN"));
}

TEST(Calibrate, ADivergedRolloutIsAMissOfTheBand) {
  // Two of twenty trajectories diverge: the 20th of twenty scores is infinite, the band of 95
  // percent too; the 19th also, the band of 90.
  const auto cells = [](int64_t t, int64_t d) -> std::string {
    return (t == 5 || t == 7) && d == 5 ? "1,nan" : ordinary(t, d);
  };
  const Calibration calibration = expect_sound(table(20, 5, cells));
  const ConformalTable& bands = find(calibration, {"E", "C", "alone"}).calibrator.conformal;
  EXPECT_TRUE(std::isfinite(bands.find(4)->upper[0]));
  EXPECT_TRUE(std::isinf(bands.find(5)->upper[0]));
}

TEST(Calibrate, TwoDepthsOnly) {
  const Calibration calibration = expect_sound(table(30, 2, ordinary));
  const auto& model =
      std::get<PolynomialGaussian>(find(calibration, {"E", "depth", "alone"}).calibrator.model);
  EXPECT_LE(model.degrees.mean, 1);
}

TEST(Calibrate, AllRowsUseless) {
  EXPECT_THAT(
      error_of([] { calibrate(curves(table(5, 3, [](int64_t, int64_t) { return "1,0"; })), {}); }),
      HasSubstr("no row has finite logarithms"));
  // A useless signal is left out with a note; the rest is fitted.
  const Calibration calibration = expect_sound(
      table(12, 5, [](int64_t t, int64_t d) { return fmt::format("0,{}", 0.1 * (t + 2 * d)); }));
  EXPECT_THAT(calibration.notes, Contains(HasSubstr("E from C (alone): no row")));
  EXPECT_EQ(find(calibration, {"E", "depth", "alone"}).held_out.size(), 60u);
}

TEST(Calibrate, PerfectSignal) {
  const Calibration calibration = expect_sound(table(12, 6, [](int64_t t, int64_t d) {
    return fmt::format("{0},{0}", 0.1 * static_cast<double>(1 + (d + t) % 6));
  }));
  const CalibratedFit& fit = find(calibration, {"E", "C", "alone"});
  EXPECT_LT(score(fit.held_out.predictions()).gaussian.rmse, 1e-6);
}

}  // namespace
}  // namespace roundtrip

#include "roundtrip/calibration/select_degrees.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <gtest/gtest.h>

#include "calibration/simulated.h"
#include "roundtrip/calibration/trajectory_units.h"
#include "roundtrip/metrics/gaussian_scores.h"
#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

const ModelForm kSingleInput = {.polynomial = {true}, .products = {}, .level = {true}};

// --- The same choice by brute force, sharing no code: alternate weighted least squares for the
// mean with Fisher steps for log sigma, in powers of x / 3, plain elimination, plain loops.
// --------

using Matrix = std::vector<std::vector<double>>;

std::vector<double> solve(Matrix a, std::vector<double> b) {
  const size_t n = b.size();
  for (size_t i = 0; i < n; ++i) {
    size_t pivot = i;
    for (size_t r = i; r < n; ++r) pivot = std::abs(a[r][i]) > std::abs(a[pivot][i]) ? r : pivot;
    std::swap(a[i], a[pivot]);
    std::swap(b[i], b[pivot]);
    for (size_t r = i + 1; r < n; ++r) {
      const double f = a[r][i] / a[i][i];
      for (size_t c = i; c < n; ++c) a[r][c] -= f * a[i][c];
      b[r] -= f * b[i];
    }
  }
  for (size_t i = n; i-- > 0;) {
    for (size_t c = i + 1; c < n; ++c) b[i] -= a[i][c] * b[c];
    b[i] /= a[i][i];
  }
  return b;
}

double evaluate(const std::vector<double>& c, double x) {
  double value = 0;
  for (size_t k = c.size(); k-- > 0;) value = value * x + c[k];
  return value;
}

// Weighted least squares in powers of x.
std::vector<double> regress(const std::vector<double>& x, const std::vector<double>& y,
                            const std::vector<double>& w, size_t degree) {
  Matrix a(degree + 1, std::vector<double>(degree + 1));
  std::vector<double> b(degree + 1);
  std::vector<double> powers(2 * degree + 1, 1.0);
  for (size_t i = 0; i < x.size(); ++i) {
    for (size_t k = 1; k < powers.size(); ++k) powers[k] = powers[k - 1] * x[i];
    for (size_t r = 0; r <= degree; ++r) {
      b[r] += w[i] * y[i] * powers[r];
      for (size_t c = 0; c <= degree; ++c) a[r][c] += w[i] * powers[r + c];
    }
  }
  return solve(a, b);
}

struct BruteModel {
  std::vector<double> mean, log_sigma;
};

BruteModel brute_fit(const std::vector<double>& x, const std::vector<double>& y, size_t p,
                     size_t q) {
  BruteModel model;
  const std::vector<double> ones(x.size(), 1.0);
  std::vector<double> weights = ones, working(x.size());
  for (int sweep = 0; sweep < 60; ++sweep) {
    model.mean = regress(x, y, weights, p);
    if (sweep == 0) {
      double squares = 0;
      for (size_t i = 0; i < x.size(); ++i) {
        squares += std::pow(y[i] - evaluate(model.mean, x[i]), 2);
      }
      model.log_sigma = {0.5 * std::log(squares / static_cast<double>(x.size()))};
    }
    for (int inner = 0; inner < 4; ++inner) {
      for (size_t i = 0; i < x.size(); ++i) {
        const double r = y[i] - evaluate(model.mean, x[i]);
        const double s = evaluate(model.log_sigma, x[i]);
        working[i] = s + 0.5 * (r * r * std::exp(-2 * s) - 1);
      }
      model.log_sigma = regress(x, working, ones, q);
    }
    for (size_t i = 0; i < x.size(); ++i)
      weights[i] = std::exp(-2 * evaluate(model.log_sigma, x[i]));
  }
  return model;
}

struct BruteScore {
  size_t p, q;
  std::vector<double> rows;  // held-out NLL
};

BruteScore brute_score(const Samples& s, size_t p, size_t q) {
  BruteScore score{p, q, std::vector<double>(s.size())};
  for (int64_t fold = 0; fold < 5; ++fold) {
    std::vector<double> x, y;
    double low = 1e9, high = -1e9;
    for (size_t i = 0; i < s.size(); ++i) {
      if (s.trajectory[i] % 5 == fold) continue;
      x.push_back(s.x[i] / 3);
      y.push_back(s.y[i]);
      low = std::min(low, s.x[i] / 3);
      high = std::max(high, s.x[i] / 3);
    }
    const BruteModel model = brute_fit(x, y, p, q);
    for (size_t i = 0; i < s.size(); ++i) {
      if (s.trajectory[i] % 5 != fold) continue;
      const double at = std::clamp(s.x[i] / 3, low, high);
      const double log_sigma = evaluate(model.log_sigma, at);
      const double z = (s.y[i] - evaluate(model.mean, at)) / std::exp(log_sigma);
      score.rows[i] = log_sigma + 0.5 * std::log(2 * M_PI) + 0.5 * z * z;
    }
  }
  return score;
}

double brute_mean(const std::vector<double>& rows) {
  double mean = 0;
  for (const double v : rows) mean += v / static_cast<double>(rows.size());
  return mean;
}

// Over trajectories of ten rows.
double brute_error(const std::vector<double>& rows) {
  const double mean = brute_mean(rows);
  const size_t trajectories = rows.size() / 10;
  double squares = 0;
  for (size_t t = 0; t < trajectories; ++t) {
    double sum = 0;
    for (size_t i = 10 * t; i < 10 * t + 10; ++i) sum += rows[i] - mean;
    squares += sum * sum;
  }
  const auto count = static_cast<double>(trajectories);
  return std::sqrt(squares * count / (count - 1)) / static_cast<double>(rows.size());
}

std::vector<double> brute_difference(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> out;
  for (size_t i = 0; i < a.size(); ++i) out.push_back(a[i] - b[i]);
  return out;
}

Degrees brute_choice(const std::vector<BruteScore>& scores,
                     const std::vector<DegreeCandidate>& candidates, DegreeRule rule) {
  const BruteScore* best = nullptr;
  for (size_t i = 0; i < scores.size(); ++i) {
    if (!candidates[i].rises) continue;
    if (best == nullptr || brute_mean(scores[i].rows) < brute_mean(best->rows)) best = &scores[i];
  }
  for (size_t total = 0; total <= 8; ++total) {
    for (size_t q = 0; q <= total; ++q) {
      for (size_t i = 0; i < scores.size(); ++i) {
        if (!candidates[i].rises || scores[i].q != q || scores[i].p + q != total) continue;
        const std::vector<double> behind = brute_difference(scores[i].rows, best->rows);
        double margin = brute_error(best->rows);
        if (rule == DegreeRule::paired) margin = std::min(margin, brute_error(behind));
        if (brute_mean(behind) <= margin) {
          return {static_cast<int64_t>(scores[i].p), static_cast<int64_t>(q)};
        }
      }
    }
  }
  return {-1, -1};
}

void expect_brute_choice(const KnownLaw& law, uint64_t seed) {
  const Samples samples = draw_samples(law, 400, seed);
  const DegreeChoice choice = select_degrees(samples, kSingleInput, {});
  ASSERT_EQ(choice.candidates.size(), 20u);
  std::vector<BruteScore> scores;
  for (const DegreeCandidate& c : choice.candidates) {
    const auto p = static_cast<size_t>(c.degrees.mean),
               q = static_cast<size_t>(c.degrees.log_sigma);
    scores.push_back(brute_score(samples, p, q));
    EXPECT_NEAR(c.nll, brute_mean(scores.back().rows), 1e-5) << p << " " << q;
    EXPECT_NEAR(c.standard_error, brute_error(scores.back().rows), 1e-5) << p << " " << q;
  }
  const auto best = static_cast<size_t>(
      std::find_if(choice.candidates.begin(), choice.candidates.end(),
                   [](const DegreeCandidate& c) { return c.paired_error == 0; }) -
      choice.candidates.begin());
  ASSERT_LT(best, scores.size());
  for (size_t i = 0; i < scores.size(); ++i) {
    EXPECT_NEAR(choice.candidates[i].paired_error,
                brute_error(brute_difference(scores[i].rows, scores[best].rows)), 1e-5);
  }
  EXPECT_EQ(choice.degrees, brute_choice(scores, choice.candidates, DegreeRule::paired));
  EXPECT_EQ(select_degrees(samples, kSingleInput, {.rule = DegreeRule::unpaired}).degrees,
            brute_choice(scores, choice.candidates, DegreeRule::unpaired));
}

TEST(SelectDegrees, ChoosesWhatBruteForceChooses) {
  expect_brute_choice(heteroscedastic_law(), 11);
  expect_brute_choice({[](double x) { return 2 * x; }, [](double) { return 0.3; }}, 12);
  expect_brute_choice(
      {[](double x) { return std::sinh(x) / 3; }, [](double x) { return std::exp(-1 + 0.5 * x); }},
      13);
}

TEST(SelectDegrees, ALineWithEvenNoiseIsALine) {
  const Samples samples =
      draw_samples({[](double x) { return 2 * x; }, [](double) { return 0.3; }}, 1000, 14);
  EXPECT_EQ(select_degrees(samples, kSingleInput, {}).degrees, (Degrees{1, 0}));
}

TEST(SelectDegrees, TheRuleTakesTheSimplestWithinOneStandardError) {
  const auto rule = [](std::vector<DegreeCandidate> c) {
    return one_standard_error_rule(c, DegreeRule::unpaired);
  };
  EXPECT_EQ(rule({{{1, 0}, 1.30, 0.1, 0, true},
                  {{2, 1}, 1.08, 0.1, 0, true},
                  {{3, 2}, 1.0, 0.1, 0, true}}),
            (Degrees{2, 1}));
  // Equal p + q: the smaller q.
  EXPECT_EQ(rule({{{1, 1}, 1.05, 0.1, 0, true},
                  {{2, 0}, 1.06, 0.1, 0, true},
                  {{3, 2}, 1.0, 0.1, 0, true}}),
            (Degrees{2, 0}));
  // One that falls somewhere is no candidate, not even as the best.
  EXPECT_EQ(rule({{{1, 0}, 1.30, 0.1, 0, true},
                  {{2, 1}, 1.25, 0.02, 0, true},
                  {{3, 2}, 1.0, 0.1, 0, false}}),
            (Degrees{2, 1}));
  EXPECT_EQ(rule({{{1, 0}, 1.30, 0.1, 0, false}, {{2, 1}, 1.0, 0.1, 0, false}}), (Degrees{2, 1}));
}

TEST(SelectDegrees, ThePairedRuleTakesTheErrorOfTheDifference) {
  // The numbers of a real table: the best score is known to .3 alone, its lead over the first
  // candidate to .11.
  std::vector<DegreeCandidate> candidates = {
      {{1, 0}, .258, .3, .11, true}, {{2, 1}, .10, .3, .04, true}, {{3, 1}, .065, .3, 0, true}};
  EXPECT_EQ(one_standard_error_rule(candidates, DegreeRule::unpaired), (Degrees{1, 0}));
  EXPECT_EQ(one_standard_error_rule(candidates, DegreeRule::paired), (Degrees{2, 1}));
  // A candidate far off at one trajectory: the difference is no larger than its own error, and
  // yet no tie.
  candidates[0] = {{1, 0}, 5, 5, 5, true};
  EXPECT_EQ(one_standard_error_rule(candidates, DegreeRule::paired), (Degrees{2, 1}));
}

TEST(SelectDegrees, RulesHaveNames) {
  EXPECT_EQ(parse_degree_rule("paired"), DegreeRule::paired);
  EXPECT_EQ(parse_degree_rule("unpaired"), DegreeRule::unpaired);
  EXPECT_EQ(error_of([] { parse_degree_rule("pared"); }),
            "[calibrate] pared: no such degree rule (did you mean paired? known: paired, unpaired)");
}

// --- Both rules on rollouts of a law whose degrees are (4, 2) ------------------------------------

/// What a rule chose in many tables: how often each degrees, and what its fits lose to the law on
/// fresh rollouts, nats a row.
struct RuleRecord {
  std::map<std::pair<int64_t, int64_t>, int> chosen;
  double lost = 0;
};

double mean_nll(const Samples& samples, const auto& predict) {
  double sum = 0;
  for (size_t i = 0; i < samples.size(); ++i) {
    const GaussianPrediction p = predict(samples.x[i]);
    sum += gaussian_nll(samples.y[i], p.mean, p.sigma);
  }
  return sum / static_cast<double>(samples.size());
}

RuleRecord record_rule(DegreeRule rule, const RolloutLaw& law, int64_t tables, int64_t trajectories,
                       int64_t depths) {
  RuleRecord record;
  for (int64_t table = 0; table < tables; ++table) {
    const auto seed = static_cast<uint64_t>(2 * table);
    const Samples samples = draw_rollouts(law, seed, trajectories, depths);
    const Samples fresh = draw_rollouts(law, seed + 1, trajectories, depths);
    const DegreeChoice choice = select_degrees(samples, kSingleInput, {.rule = rule});
    ++record.chosen[{choice.degrees.mean, choice.degrees.log_sigma}];
    const auto ours = [&](double x) { return choice.fit.model.predict(std::vector{x}); };
    const auto truth = [&](double x) {
      return GaussianPrediction{law.mean(x), law.sigma(x)};
    };
    record.lost += (mean_nll(fresh, ours) - mean_nll(fresh, truth)) / static_cast<double>(tables);
  }
  return record;
}

void print_record(const char* rule, const RuleRecord& record) {
  fmt::print("{}: loses {:.4f} nats a row on fresh rollouts; degrees", rule, record.lost);
  for (const auto& [degrees, count] : record.chosen) {
    fmt::print(" ({},{}) {} times", degrees.first, degrees.second, count);
  }
  fmt::print("\n");
}

int chosen_times(const RuleRecord& record, int64_t mean, int64_t log_sigma) {
  const auto found = record.chosen.find({mean, log_sigma});
  return found == record.chosen.end() ? 0 : found->second;
}

struct BothRules {
  RuleRecord paired, unpaired;
};

BothRules record_both(const RolloutLaw& law, int64_t tables, int64_t trajectories, int64_t depths) {
  BothRules both{record_rule(DegreeRule::paired, law, tables, trajectories, depths),
                 record_rule(DegreeRule::unpaired, law, tables, trajectories, depths)};
  print_record("paired", both.paired);
  print_record("unpaired", both.unpaired);
  return both;
}

// Half of the variance is the trajectory's, which all candidates get wrong alike.
TEST(SelectDegrees, ThePairedRuleFindsTheLawThroughWhatTrajectoriesShare) {
  const BothRules both = record_both({.bend = 0.7, .hump = 4, .shared = 0.5}, 10, 60, 40);
  EXPECT_GE(chosen_times(both.paired, 4, 2), 8);
  EXPECT_EQ(chosen_times(both.unpaired, 4, 2), 0);
  EXPECT_LT(2 * both.paired.lost, both.unpaired.lost);
}

// docs/concepts/calibration.md quotes the slow one.
TEST(SelectDegrees, AtThePapersSizeThePairedRuleFindsTheLaw) {
  const BothRules both = record_both({}, 5, 100, 98);
  EXPECT_GE(chosen_times(both.paired, 4, 2), 4);
  EXPECT_EQ(chosen_times(both.unpaired, 4, 2), 0);
}

TEST(SelectDegrees, SlowAtThePapersSizeThePairedRuleFindsTheLaw) {
  const BothRules both = record_both({}, 200, 100, 98);
  EXPECT_GE(chosen_times(both.paired, 4, 2), 120);
  EXPECT_LE(chosen_times(both.unpaired, 4, 2), 10);
  EXPECT_LT(2 * both.paired.lost, both.unpaired.lost);
}

TEST(SelectDegrees, HeldOutRowsAreNotSeen) {
  Samples samples = draw_samples(heteroscedastic_law(), 200, 15);
  const DegreeChoice before = select_degrees(samples, kSingleInput, {.highest = {1, 0}});
  // Trajectory 3 belongs to fold 3: changing it changes no prediction of its own fold.
  for (size_t i = 30; i < 40; ++i) samples.y[i] += 100;
  const DegreeChoice after = select_degrees(samples, kSingleInput, {.highest = {1, 0}});
  for (size_t i = 30; i < 40; ++i) {
    // To the digits a score needs: a fold's search starts from the fit to all rows.
    EXPECT_NEAR(before.held_out[i].mean, after.held_out[i].mean, 1e-5);
  }
  EXPECT_GT(std::abs(before.held_out[0].mean - after.held_out[0].mean), 1);
}

TEST(SelectDegrees, ASignalThatNeverVariesLeavesTheRestToTheDepth) {
  const KnownLaw law = {[](double x) { return 2 * x; }, [](double) { return 0.3; }};
  const Samples depth = draw_samples(law, 500, 19);
  Samples both = depth;
  both.inputs = 2;
  both.x.clear();
  for (const double x : depth.x) both.x.insert(both.x.end(), {0.7, x});
  const DegreeChoice alone = select_degrees(depth, kSingleInput, {});
  const DegreeChoice with =
      select_degrees(both, {.polynomial = {true, true}, .products = {{0, 1}}}, {});
  EXPECT_EQ(alone.degrees, with.degrees);
  EXPECT_EQ(with.notes.at(0), "the signal never varies and says nothing");
  for (size_t i = 0; i < depth.size(); ++i) {
    EXPECT_NEAR(alone.held_out[i].mean, with.held_out[i].mean, 1e-6);
  }
}

TEST(SelectDegrees, SmallTablesGetWhatTheyCanHold) {
  const KnownLaw law = heteroscedastic_law();
  Samples one = draw_samples(law, 10, 16);  // one trajectory
  const DegreeChoice single = select_degrees(one, kSingleInput, {});
  EXPECT_EQ(single.degrees, (Degrees{1, 0}));
  EXPECT_TRUE(single.held_out.empty());
  ASSERT_FALSE(single.notes.empty());

  Samples two_depths = draw_samples(law, 100, 17);
  for (size_t i = 0; i < 100; ++i) two_depths.x[i] = i % 2 == 0 ? 0.0 : 1.0;
  const DegreeChoice two = select_degrees(two_depths, kSingleInput, {});
  for (const DegreeCandidate& c : two.candidates) {
    EXPECT_LE(c.degrees.mean, 1);
    EXPECT_LE(c.degrees.log_sigma, 1);
    EXPECT_TRUE(std::isfinite(c.nll));
  }

  Samples constant = draw_samples(law, 100, 18);
  for (double& x : constant.x) x = 0.7;
  const DegreeChoice flat = select_degrees(constant, kSingleInput, {});
  EXPECT_EQ(flat.degrees, (Degrees{0, 0}));
  EXPECT_EQ(flat.notes.at(0), "the signal never varies and says nothing");
}

}  // namespace
}  // namespace roundtrip

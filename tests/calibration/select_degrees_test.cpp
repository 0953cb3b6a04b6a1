#include "roundtrip/calibration/select_degrees.h"

#include <cmath>

#include <gtest/gtest.h>

#include "calibration/simulated.h"
#include "roundtrip/calibration/trajectory_units.h"

namespace roundtrip {
namespace {

const ModelForm kSingleInput = {.polynomial = {true}, .products = {}};

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
  double nll, error;
};

BruteScore brute_score(const Samples& s, size_t p, size_t q) {
  std::vector<double> nll(s.size());
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
      nll[i] = log_sigma + 0.5 * std::log(2 * M_PI) + 0.5 * z * z;
    }
  }
  double mean = 0, squares = 0;
  for (const double v : nll) mean += v / static_cast<double>(nll.size());
  const size_t trajectories = s.size() / 10;
  for (size_t t = 0; t < trajectories; ++t) {
    double sum = 0;
    for (size_t i = 10 * t; i < 10 * t + 10; ++i) sum += nll[i] - mean;
    squares += sum * sum;
  }
  const auto count = static_cast<double>(trajectories);
  return {p, q, mean, std::sqrt(squares * count / (count - 1)) / static_cast<double>(nll.size())};
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
    EXPECT_NEAR(c.nll, scores.back().nll, 1e-5) << p << " " << q;
    EXPECT_NEAR(c.standard_error, scores.back().error, 1e-5) << p << " " << q;
  }
  const BruteScore* best = nullptr;
  for (size_t i = 0; i < scores.size(); ++i) {
    if (choice.candidates[i].monotone && (best == nullptr || scores[i].nll < best->nll)) {
      best = &scores[i];
    }
  }
  const BruteScore* chosen = nullptr;
  for (size_t total = 0; total <= 8 && chosen == nullptr; ++total) {
    for (size_t q = 0; q <= total && chosen == nullptr; ++q) {
      for (size_t i = 0; i < scores.size(); ++i) {
        if (!choice.candidates[i].monotone || scores[i].q != q || scores[i].p + q != total)
          continue;
        if (scores[i].nll <= best->nll + best->error) chosen = &scores[i];
      }
    }
  }
  ASSERT_NE(chosen, nullptr);
  EXPECT_EQ(choice.degrees,
            (Degrees{static_cast<int64_t>(chosen->p), static_cast<int64_t>(chosen->q)}));
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
  const auto rule = [](std::vector<DegreeCandidate> c) { return one_standard_error_rule(c); };
  EXPECT_EQ(rule({{{1, 0}, 1.30, 0.1, true}, {{2, 1}, 1.08, 0.1, true}, {{3, 2}, 1.0, 0.1, true}}),
            (Degrees{2, 1}));
  // Equal p + q: the smaller q.
  EXPECT_EQ(rule({{{1, 1}, 1.05, 0.1, true}, {{2, 0}, 1.06, 0.1, true}, {{3, 2}, 1.0, 0.1, true}}),
            (Degrees{2, 0}));
  // One that turns back is no candidate, not even as the best.
  EXPECT_EQ(
      rule({{{1, 0}, 1.30, 0.1, true}, {{2, 1}, 1.25, 0.02, true}, {{3, 2}, 1.0, 0.1, false}}),
      (Degrees{2, 1}));
  EXPECT_EQ(rule({{{1, 0}, 1.30, 0.1, false}, {{2, 1}, 1.0, 0.1, false}}), (Degrees{2, 1}));
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

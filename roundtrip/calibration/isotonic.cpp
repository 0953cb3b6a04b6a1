#include "roundtrip/calibration/isotonic.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "roundtrip/base/error.h"
#include "roundtrip/calibration/gaussian_likelihood.h"
#include "roundtrip/calibration/trajectory_units.h"

// Pool adjacent violators: merge neighbours that are out of order into their mean until none are.
// Ayer et al. 1955; ties first averaged, as Kruskal's secondary approach has it.

namespace roundtrip {
namespace {

struct Block {
  double sum = 0;
  double weight = 0;
  size_t knots = 0;

  double mean() const { return sum / weight; }
  void merge(const Block& other) {
    sum += other.sum;
    weight += other.weight;
    knots += other.knots;
  }
};

double scatter(double squares, size_t n) {
  return std::max(std::sqrt(squares / static_cast<double>(n)), kSigmaFloor);
}

}  // namespace

GaussianPrediction Isotonic::predict(double at) const {
  if (std::isnan(at)) throw Error("calibrator", "an input is not a number");
  const auto above = std::upper_bound(x.begin(), x.end(), at);
  if (above == x.begin()) return {mean.front(), sigma};
  if (above == x.end()) return {mean.back(), sigma};
  const auto i = static_cast<size_t>(above - x.begin());
  const double share = (at - x[i - 1]) / (x[i] - x[i - 1]);
  return {mean[i - 1] + share * (mean[i] - mean[i - 1]), sigma};
}

Isotonic fit_isotonic(std::span<const double> x, std::span<const double> y) {
  ensure(!x.empty() && x.size() == y.size(), "isotonic: as many x as y, at least one");
  std::vector<size_t> order(x.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return x[a] < x[b]; });

  Isotonic fit;
  std::vector<Block> blocks;
  for (size_t i = 0; i < order.size();) {
    Block tie{.sum = 0, .weight = 0, .knots = 1};
    fit.x.push_back(x[order[i]]);
    for (; i < order.size() && x[order[i]] == fit.x.back(); ++i) {
      tie.sum += y[order[i]];
      tie.weight += 1;
    }
    blocks.push_back(tie);
    while (blocks.size() > 1 && blocks[blocks.size() - 2].mean() >= blocks.back().mean()) {
      blocks[blocks.size() - 2].merge(blocks.back());
      blocks.pop_back();
    }
  }
  for (const Block& block : blocks) fit.mean.insert(fit.mean.end(), block.knots, block.mean());

  // Knots inside a flat stretch say nothing its ends do not.
  Isotonic lean;
  for (size_t i = 0; i < fit.x.size(); ++i) {
    const bool inside = i > 0 && i + 1 < fit.x.size() && fit.mean[i - 1] == fit.mean[i] &&
                        fit.mean[i] == fit.mean[i + 1];
    if (inside) continue;
    lean.x.push_back(fit.x[i]);
    lean.mean.push_back(fit.mean[i]);
  }
  double squares = 0;
  for (size_t i = 0; i < x.size(); ++i) squares += std::pow(y[i] - lean.predict(x[i]).mean, 2);
  lean.sigma = scatter(squares, x.size());
  return lean;
}

Isotonic cross_fit_isotonic(const Samples& samples, int64_t folds,
                            std::vector<GaussianPrediction>& held_out) {
  ensure(samples.inputs == 1, "isotonic: one input");
  Isotonic all = fit_isotonic(samples.x, samples.y);
  held_out.clear();
  folds = std::min(folds, count_trajectories(samples.trajectory));
  if (folds < 2) return all;
  const std::vector<int64_t> fold_of = trajectory_folds(samples.trajectory, folds);
  held_out.resize(samples.size());
  std::vector<double> squares(static_cast<size_t>(folds));
  std::vector<size_t> counts(static_cast<size_t>(folds));
  for (int64_t fold = 0; fold < folds; ++fold) {
    std::vector<double> x, y;
    for (size_t i = 0; i < samples.size(); ++i) {
      if (fold_of[i] == fold) continue;
      x.push_back(samples.x[i]);
      y.push_back(samples.y[i]);
    }
    const Isotonic part = fit_isotonic(x, y);
    for (size_t i = 0; i < samples.size(); ++i) {
      if (fold_of[i] != fold) continue;
      held_out[i] = part.predict(samples.x[i]);
      squares[static_cast<size_t>(fold)] += std::pow(samples.y[i] - held_out[i].mean, 2);
      ++counts[static_cast<size_t>(fold)];
    }
  }
  const double sum = std::accumulate(squares.begin(), squares.end(), 0.0);
  all.sigma = scatter(sum, samples.size());
  // A held-out row's own residual has no say in its sigma.
  for (size_t i = 0; i < samples.size(); ++i) {
    const auto fold = static_cast<size_t>(fold_of[i]);
    held_out[i].sigma = scatter(sum - squares[fold], samples.size() - counts[fold]);
  }
  return all;
}

}  // namespace roundtrip

#include "roundtrip/calibration/gaussian_likelihood.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Cholesky>

// With s = log sigma and w = exp(-2s), a row adds s + (r^2 + f^2) w / 2. Its derivatives by the
// mean and by s are -r w and 1 - (r^2 + f^2) w; second ones w, 2 r w, 2 (r^2 + f^2) w, whose
// expectations are w, 0, 2. Far from the optimum the true Hessian need not be positive definite;
// Fisher scoring takes over there. Nix & Weigend 1994; Smyth 1989.

namespace roundtrip {
namespace {

// Pins directions the data leave open (an input that never varies). Far below one observation.
constexpr double kRidge = 1e-6;
constexpr Eigen::Index kBlock = 256;  // rows whose weighted copies stay in the first-level cache

double ridge(DesignSize size, Eigen::Index i) {
  return i == 0 || i == size.mean ? 0 : kRidge;  // constants are free
}

double ridge_value(DesignSize size, const Eigen::VectorXd& theta) {
  double value = 0;
  for (Eigen::Index i = 0; i < theta.size(); ++i) {
    value += 0.5 * ridge(size, i) * theta[i] * theta[i];
  }
  return value;
}

double value_at(const GaussianDesign& design, DesignSize size, const Eigen::VectorXd& theta) {
  const Eigen::Index n = design.y.size();
  double value = ridge_value(size, theta);
  for (Eigen::Index at = 0; at < n; at += kBlock) {
    const Eigen::Index rows = std::min(kBlock, n - at);
    const Eigen::ArrayXd r = design.y.segment(at, rows) -
                             design.mean.block(at, 0, rows, size.mean) * theta.head(size.mean);
    const Eigen::ArrayXd s =
        design.log_sigma.block(at, 0, rows, size.log_sigma) * theta.tail(size.log_sigma);
    value += (s + 0.5 * (r.square() + kSigmaFloor * kSigmaFloor) * (-2 * s).exp()).sum();
  }
  return std::isfinite(value) ? value : std::numeric_limits<double>::infinity();
}

// The expected Hessian: no cross terms, and 2 where the true one has 2 (r^2 + f^2) w.
Eigen::MatrixXd fisher(const GaussianDesign& design, DesignSize size, const Likelihood& at) {
  const auto z = design.log_sigma.leftCols(size.log_sigma);
  Eigen::MatrixXd out = at.hessian;
  out.topRightCorner(size.mean, size.log_sigma).setZero();
  out.bottomLeftCorner(size.log_sigma, size.mean).setZero();
  out.bottomRightCorner(size.log_sigma, size.log_sigma) = 2 * z.transpose() * z;
  for (Eigen::Index i = 0; i < size.log_sigma; ++i) {
    out(size.mean + i, size.mean + i) += ridge(size, size.mean + i);
  }
  return out;
}

// Newton's step where the Hessian is positive definite, Fisher's elsewhere.
Eigen::VectorXd descent_step(const GaussianDesign& design, DesignSize size, const Likelihood& at) {
  const Eigen::LLT<Eigen::MatrixXd> newton(at.hessian);
  if (newton.info() == Eigen::Success) return newton.solve(-at.gradient);
  return fisher(design, size, at).ldlt().solve(-at.gradient);
}

}  // namespace

Likelihood likelihood_at(const GaussianDesign& design, DesignSize size,
                         const Eigen::VectorXd& theta) {
  const Eigen::Index n = design.y.size(), p = size.mean, q = size.log_sigma;
  Likelihood out{.value = ridge_value(size, theta),
                 .gradient = Eigen::VectorXd::Zero(p + q),
                 .hessian = Eigen::MatrixXd::Zero(p + q, p + q)};
  Eigen::MatrixXd weighted(kBlock, p + q);
  for (Eigen::Index at = 0; at < n; at += kBlock) {
    const Eigen::Index rows = std::min(kBlock, n - at);
    const auto x = design.mean.block(at, 0, rows, p);
    const auto z = design.log_sigma.block(at, 0, rows, q);
    const Eigen::VectorXd r = design.y.segment(at, rows) - x * theta.head(p);
    const Eigen::VectorXd s = z * theta.tail(q);
    const Eigen::VectorXd w = (-2 * s.array()).exp();
    const Eigen::VectorXd rw = r.cwiseProduct(w);
    const Eigen::VectorXd u = (r.array().square() + kSigmaFloor * kSigmaFloor) * w.array();
    out.value += s.sum() + 0.5 * u.sum();
    out.gradient.head(p).noalias() -= x.transpose() * rw;
    out.gradient.tail(q).noalias() += z.transpose() * (1 - u.array()).matrix();
    auto wx = weighted.topLeftCorner(rows, p);
    auto wz = weighted.topRightCorner(rows, q);
    wx = w.asDiagonal() * x;
    out.hessian.topLeftCorner(p, p).noalias() += x.transpose() * wx;
    wz = (2 * rw).asDiagonal() * z;
    out.hessian.topRightCorner(p, q).noalias() += x.transpose() * wz;
    wz = (2 * u).asDiagonal() * z;
    out.hessian.bottomRightCorner(q, q).noalias() += z.transpose() * wz;
  }
  out.hessian.bottomLeftCorner(q, p) = out.hessian.topRightCorner(p, q).transpose();
  for (Eigen::Index i = 0; i < p + q; ++i) {
    out.gradient[i] += ridge(size, i) * theta[i];
    out.hessian(i, i) += ridge(size, i);
  }
  return out;
}

Eigen::VectorXd least_squares_start(const GaussianDesign& design, DesignSize size) {
  const auto x = design.mean.leftCols(size.mean);
  Eigen::MatrixXd normal = x.transpose() * x;
  for (Eigen::Index i = 1; i < size.mean; ++i) normal(i, i) += kRidge;
  Eigen::VectorXd theta = Eigen::VectorXd::Zero(size.mean + size.log_sigma);
  theta.head(size.mean) = normal.ldlt().solve(x.transpose() * design.y);
  const Eigen::VectorXd r = design.y - x * theta.head(size.mean);
  const double variance = r.squaredNorm() / static_cast<double>(design.y.size());
  theta[size.mean] = 0.5 * std::log(variance + kSigmaFloor * kSigmaFloor);
  return theta;
}

LikelihoodFit minimise_likelihood(const GaussianDesign& design, DesignSize size,
                                  Eigen::VectorXd theta, double tolerance) {
  constexpr int kSteps = 200;
  constexpr int kHalvings = 40;
  for (int step = 0; step < kSteps; ++step) {
    const Likelihood here = likelihood_at(design, size, theta);
    const Eigen::VectorXd direction = descent_step(design, size, here);
    // The squared length of the step in units of standard errors.
    const double decrement = -here.gradient.dot(direction);
    if (!std::isfinite(decrement)) break;
    if (decrement < tolerance * tolerance) return {theta + direction, true};
    double scale = 1;
    int downsamplings = 0;
    // At the optimum the values differ by rounding alone; a short full step is taken on trust.
    const double slack = 1e-13 * (std::abs(here.value) + static_cast<double>(design.y.size()));
    while (!(value_at(design, size, theta + scale * direction) <=
             here.value - 1e-4 * scale * decrement + slack)) {
      if (++downsamplings > kHalvings) return {theta, decrement < 1e-8};
      scale /= 2;
    }
    theta += scale * direction;
  }
  return {theta, false};
}

}  // namespace roundtrip

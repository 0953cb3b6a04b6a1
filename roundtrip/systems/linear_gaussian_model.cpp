// A stationary Gaussian process is Gaussian in both directions of time, so the optimal backward map
// is a regression with known moments: A_- = Sigma A^T Sigma^-1, Q_- = Sigma - A_- A Sigma.
//
// A is built in real Schur form: 2x2 rotations r [cos -sin; sin cos] on the diagonal (D) fix the
// eigenvalues, a random part above them (N) makes A non-normal without moving them.
#include "roundtrip/systems/linear_gaussian_model.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <Eigen/Cholesky>
#include <Eigen/QR>

#include "roundtrip/base/error.h"
#include "roundtrip/base/random.h"

namespace roundtrip {
namespace {

using Eigen::MatrixXd;

// Sigma over Q at most: beyond it Q_-, a small difference of large numbers, has lost its digits.
constexpr double kLargestGain = 1e6;

Error out_of_reach() {
  return {"linear_gaussian",
          "the stationary covariance is too large for double precision; lower non_normality or "
          "slowest"};
}

MatrixXd symmetric_part(const MatrixXd& m) { return 0.5 * (m + m.transpose()); }

MatrixXd gaussian_matrix(int64_t dimension, uint64_t seed, std::string_view purpose) {
  const RandomStream random(seed, purpose);
  MatrixXd matrix(dimension, dimension);
  random.fill_normal({matrix.data(), static_cast<size_t>(matrix.size())});
  return matrix;
}

// A basis drawn uniformly: the Q of a Gaussian matrix, its signs fixed by a positive diagonal of R.
MatrixXd random_basis(int64_t dimension, uint64_t seed) {
  const Eigen::HouseholderQR<MatrixXd> qr(
      gaussian_matrix(dimension, seed, "linear_gaussian.basis"));
  MatrixXd basis = qr.householderQ();
  for (int64_t j = 0; j < dimension; ++j) {
    if (qr.matrixQR()(j, j) < 0) basis.col(j) *= -1;
  }
  return basis;
}

// D: one rotation block per eigenvalue.
MatrixXd block_diagonal(int64_t dimension, const std::vector<std::complex<double>>& eigenvalues) {
  MatrixXd blocks = MatrixXd::Zero(dimension, dimension);
  int64_t i = 0;
  for (const std::complex<double>& value : eigenvalues) {
    blocks(i, i) = value.real();
    if (i + 1 < dimension) {
      blocks(i + 1, i + 1) = value.real();
      blocks(i, i + 1) = -value.imag();
      blocks(i + 1, i) = value.imag();
    }
    i += 2;
  }
  return blocks;
}

// N: random above the 2x2 blocks of the diagonal, of Frobenius norm 1 (0 when there is no room).
MatrixXd unit_upper_part(int64_t dimension, uint64_t seed) {
  MatrixXd upper = gaussian_matrix(dimension, seed, "linear_gaussian.upper");
  for (int64_t j = 0; j < dimension; ++j) {
    for (int64_t i = j / 2 * 2; i < dimension; ++i) upper(i, j) = 0;
  }
  const double norm = upper.norm();
  return norm > 0 ? MatrixXd(upper / norm) : upper;
}

// tr(Sigma - B^k Sigma B^kT) / d.
double prediction_error(const MatrixXd& map, const MatrixXd& covariance, int64_t steps) {
  MatrixXd explained = covariance;
  for (int64_t k = 0; k < steps; ++k) explained = map * explained * map.transpose();
  return (covariance - explained).trace() / static_cast<double>(map.rows());
}

}  // namespace

LinearGaussianModel::LinearGaussianModel(MatrixXd forward_map, MatrixXd forward_noise)
    : LinearGaussianModel(forward_map, forward_noise, solve_lyapunov(forward_map, forward_noise)) {}

LinearGaussianModel::LinearGaussianModel(MatrixXd forward_map, MatrixXd forward_noise,
                                         MatrixXd covariance)
    : forward_map_(std::move(forward_map)),
      forward_noise_(std::move(forward_noise)),
      covariance_(std::move(covariance)) {
  if (covariance_.norm() > kLargestGain * forward_noise_.norm()) throw out_of_reach();
  const Eigen::LLT<MatrixXd> factor(covariance_);
  ensure(factor.info() == Eigen::Success, "linear_gaussian: Sigma is positive definite");
  // Sigma^-1 (A Sigma), transposed.
  backward_map_ = factor.solve(forward_map_ * covariance_).transpose();
  backward_noise_ =
      symmetric_part(covariance_ - backward_map_ * covariance_ * backward_map_.transpose());
}

double LinearGaussianModel::forward_error(int64_t steps) const {
  return prediction_error(forward_map_, covariance_, steps);
}

double LinearGaussianModel::backward_error(int64_t steps) const {
  return prediction_error(backward_map_, covariance_, steps);
}

std::vector<std::complex<double>> eigenvalues_of(int64_t dimension,
                                                 const LinearGaussianSpectrum& spectrum) {
  const int64_t blocks = (dimension + 1) / 2;
  std::vector<std::complex<double>> values;
  for (int64_t k = 0; k < blocks; ++k) {
    const double place = blocks > 1 ? static_cast<double>(k) / static_cast<double>(blocks - 1) : 0;
    const double modulus = spectrum.slowest + (spectrum.fastest - spectrum.slowest) * place;
    const bool single = 2 * k + 1 == dimension;
    const double angle =
        single ? 0 : spectrum.rotation * static_cast<double>(k + 1) / static_cast<double>(blocks);
    values.push_back(std::polar(modulus, angle));
  }
  return values;
}

LinearGaussianModel make_linear_gaussian_model(int64_t dimension,
                                               const LinearGaussianSpectrum& spectrum) {
  const auto seed = static_cast<uint64_t>(spectrum.matrix_seed);
  const MatrixXd basis = random_basis(dimension, seed);
  const MatrixXd normal = block_diagonal(dimension, eigenvalues_of(dimension, spectrum));
  const MatrixXd schur =
      normal + spectrum.non_normality * normal.norm() * unit_upper_part(dimension, seed);
  const MatrixXd identity = MatrixXd::Identity(dimension, dimension);
  const MatrixXd map = basis * schur * basis.transpose();
  const MatrixXd noise =
      symmetric_part(basis * (identity - normal * normal.transpose()) * basis.transpose());
  // Known without the dozen products that solving for it takes.
  if (spectrum.non_normality == 0) return {map, noise, identity};
  return {map, noise};
}

// Smith's doubling: after k rounds the sum holds the first 2^k terms of sum_j A^j Q A^jT.
MatrixXd solve_lyapunov(const MatrixXd& map, const MatrixXd& noise) {
  MatrixXd power = map;
  MatrixXd sum = noise;
  constexpr int kRounds = 64;  // enough for any modulus below 1 that a double can hold
  for (int round = 0; round < kRounds; ++round) {
    const MatrixXd added = power * sum * power.transpose();
    sum = symmetric_part(sum + added);
    const double size = sum.norm();
    if (!std::isfinite(size)) break;
    if (added.norm() <= 1e-17 * size) return sum;
    power = power * power;
  }
  throw out_of_reach();
}

}  // namespace roundtrip

#pragma once

#include <complex>
#include <cstdint>
#include <vector>

#include <Eigen/Core>

namespace roundtrip {

/// Which stationary linear process: the eigenvalues of A and how far A is from normal.
struct LinearGaussianSpectrum {
  double slowest = 0.98;     // largest modulus of an eigenvalue, below 1
  double fastest = 0.6;      // smallest modulus
  double rotation = 0.5;     // largest angle of an eigenvalue, radians per step
  double non_normality = 0;  // Henrici's departure |N| / |D| of A = U (D + N) U^T; 0: Sigma = I
  int64_t matrix_seed = 1;   // of the basis U and the upper part N
};

/// The process z' = A z + e, e ~ N(0, Q), in its stationary law z ~ N(0, Sigma), and the same
/// process seen backward in time, z = A_- z' + e_-, e_- ~ N(0, Q_-). Both maps are the optimal
/// one-step predictors. All matrices are d x d.
class LinearGaussianModel {
 public:
  /// Completes the model from A and Q. Q is symmetric and positive definite. An Error when A
  /// is not stable, or so non-normal that Sigma dwarfs Q.
  LinearGaussianModel(Eigen::MatrixXd forward_map, Eigen::MatrixXd forward_noise);
  /// The same where Sigma is known.
  LinearGaussianModel(Eigen::MatrixXd forward_map, Eigen::MatrixXd forward_noise,
                      Eigen::MatrixXd covariance);

  const Eigen::MatrixXd& forward_map() const { return forward_map_; }        // A
  const Eigen::MatrixXd& forward_noise() const { return forward_noise_; }    // Q
  const Eigen::MatrixXd& covariance() const { return covariance_; }          // Sigma
  const Eigen::MatrixXd& backward_map() const { return backward_map_; }      // A_-
  const Eigen::MatrixXd& backward_noise() const { return backward_noise_; }  // Q_-

  int64_t dimension() const { return forward_map_.rows(); }

  /// Expected squared error per component of the best prediction `steps` ahead, A^k z: at one step
  /// tr Q / d, at many tr Sigma / d.
  double forward_error(int64_t steps = 1) const;
  /// The same `steps` back, A_-^k z.
  double backward_error(int64_t steps = 1) const;

 private:
  Eigen::MatrixXd forward_map_;
  Eigen::MatrixXd forward_noise_;
  Eigen::MatrixXd covariance_;
  Eigen::MatrixXd backward_map_;
  Eigen::MatrixXd backward_noise_;
};

/// The eigenvalues asked for, one of each conjugate pair (angle >= 0), slowest first; a last real
/// one when the dimension is odd. Moduli and angles are evenly spaced.
std::vector<std::complex<double>> eigenvalues_of(int64_t dimension,
                                                 const LinearGaussianSpectrum& spectrum);

/// The model with that spectrum in a random orthonormal basis U. Q = I - U D D^T U^T, so that a
/// normal A has Sigma = I.
LinearGaussianModel make_linear_gaussian_model(int64_t dimension,
                                               const LinearGaussianSpectrum& spectrum);

/// The solution of Sigma = A Sigma A^T + Q, accurate to round-off; an Error when A is not stable.
Eigen::MatrixXd solve_lyapunov(const Eigen::MatrixXd& map, const Eigen::MatrixXd& noise);

}  // namespace roundtrip

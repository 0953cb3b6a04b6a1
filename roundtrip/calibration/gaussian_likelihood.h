#pragma once

#include <Eigen/Core>

namespace roundtrip {

/// No calibrator claims to know log E better than this: to 0.01 percent of E. It enters the
/// likelihood as a variance every residual carries, so that a perfect fit has a finite optimum.
inline constexpr double kSigmaFloor = 1e-4;

/// y_i ~ Normal(mean_i b, exp(log_sigma_i g)^2) with known design matrices, one row per value.
struct GaussianDesign {
  Eigen::MatrixXd mean;       // (n, terms of the mean); the first column is 1
  Eigen::MatrixXd log_sigma;  // (n, terms of log sigma); the first column is 1
  Eigen::VectorXd y;          // (n)
};

/// The first columns of a design: degrees nest, so every smaller model is one.
struct DesignSize {
  Eigen::Index mean = 1;
  Eigen::Index log_sigma = 1;
};

struct Likelihood {
  double value = 0;  // sum over rows of log sigma + (r^2 + floor^2) / (2 sigma^2), and the ridge
  Eigen::VectorXd gradient;  // by (b, g)
  Eigen::MatrixXd hessian;   // the full second derivative; indefinite far from the optimum
};

/// Value and derivatives at `coefficients` = (b, g), without the constant log(2 pi) / 2 per row.
Likelihood likelihood_at(const GaussianDesign& design, DesignSize size,
                         const Eigen::VectorXd& coefficients);

struct LikelihoodFit {
  Eigen::VectorXd coefficients;  // (b, g)
  bool converged = false;
};

/// Least squares for b, the scatter of its residuals for g: where a search starts.
Eigen::VectorXd least_squares_start(const GaussianDesign& design, DesignSize size);

/// Minimises by damped Newton steps until a step would change no coefficient by more than
/// `tolerance` of its standard error.
LikelihoodFit minimise_likelihood(const GaussianDesign& design, DesignSize size,
                                  Eigen::VectorXd start, double tolerance = 1e-9);

}  // namespace roundtrip

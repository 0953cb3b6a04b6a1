#include "roundtrip/metrics/tied_regression.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include "roundtrip/base/error.h"

namespace roundtrip {
namespace {

using Eigen::MatrixXd;

void check_pairs(const VectorPairs& pairs) {
  ensure(pairs.from.cols() == pairs.to.cols() && pairs.from.cols() >= 1,
         "regression: as many images as vectors, at least one");
}

// X of X right + left X = sum for symmetric left and right: in their eigenbases every entry of the
// solution stands alone.
MatrixXd solve_sylvester(const MatrixXd& left, const MatrixXd& right, const MatrixXd& sum) {
  const Eigen::SelfAdjointEigenSolver<MatrixXd> l(left), r(right);
  MatrixXd entries = l.eigenvectors().transpose() * sum * r.eigenvectors();
  const double scale = l.eigenvalues().maxCoeff() + r.eigenvalues().maxCoeff();
  for (Eigen::Index j = 0; j < entries.cols(); ++j) {
    for (Eigen::Index i = 0; i < entries.rows(); ++i) {
      const double divisor = l.eigenvalues()(i) + r.eigenvalues()(j);
      ensure(divisor > 1e-12 * scale, "regression: the pairs do not determine the map");
      entries(i, j) /= divisor;
    }
  }
  return l.eigenvectors() * entries * r.eigenvectors().transpose();
}

}  // namespace

MatrixXd least_squares_map(const VectorPairs& pairs) {
  check_pairs(pairs);
  const Eigen::LDLT<MatrixXd> gram(pairs.from * pairs.from.transpose());
  return gram.solve(pairs.from * pairs.to.transpose()).transpose();
}

MatrixXd tied_least_squares_map(const VectorPairs& forward, const VectorPairs& backward) {
  check_pairs(forward);
  check_pairs(backward);
  return solve_sylvester(
      backward.from * backward.from.transpose(), forward.from * forward.from.transpose(),
      forward.to * forward.from.transpose() + backward.from * backward.to.transpose());
}

}  // namespace roundtrip

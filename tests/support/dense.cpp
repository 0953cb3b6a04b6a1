#include "tests/support/dense.h"

#include <Eigen/Dense>

namespace roundtrip {

using Eigen::MatrixXd;

MatrixXd times(const MatrixXd& a, const MatrixXd& b) { return a * b; }

MatrixXd congruent(const MatrixXd& a, const MatrixXd& b) {
  return times(times(a, b), a.transpose());
}

MatrixXd inverse(const MatrixXd& a) { return a.inverse(); }

double determinant(const MatrixXd& a) { return a.determinant(); }

MatrixXd cholesky(const MatrixXd& a) { return a.llt().matrixL(); }

MatrixXd orthogonal(const MatrixXd& a) { return Eigen::HouseholderQR<MatrixXd>(a).householderQ(); }

Eigen::VectorXcd eigenvalues(const MatrixXd& a) { return a.eigenvalues(); }

Eigen::VectorXd singular_values(const MatrixXd& a) { return a.jacobiSvd().singularValues(); }

}  // namespace roundtrip

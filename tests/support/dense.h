#pragma once

#include <Eigen/Core>

// Eigen's algorithms for tests, compiled once: its templates take ten seconds in every file that
// calls them.

namespace roundtrip {

Eigen::MatrixXd times(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);
/// a b a^T
Eigen::MatrixXd congruent(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);
Eigen::MatrixXd inverse(const Eigen::MatrixXd& a);
double determinant(const Eigen::MatrixXd& a);
/// The lower triangle L of a = L L^T.
Eigen::MatrixXd cholesky(const Eigen::MatrixXd& a);
/// Orthogonal columns that span those of a.
Eigen::MatrixXd orthogonal(const Eigen::MatrixXd& a);
Eigen::VectorXcd eigenvalues(const Eigen::MatrixXd& a);
/// The largest first.
Eigen::VectorXd singular_values(const Eigen::MatrixXd& a);

}  // namespace roundtrip

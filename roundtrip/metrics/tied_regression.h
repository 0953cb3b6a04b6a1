#pragma once

#include <Eigen/Core>

namespace roundtrip {

/// Pairs of vectors, one pair per column.
struct VectorPairs {
  Eigen::MatrixXd from;
  Eigen::MatrixXd to;
};

/// The map A of least |to - A from|^2. The pairs span the space.
Eigen::MatrixXd least_squares_map(const VectorPairs& pairs);

/// One map for two directions: A goes forward and its transpose backward, as the optimal maps of a
/// stationary process with unit covariance do. Least |y - A x|^2 + |v - A^T u|^2 over pairs (x, y)
/// and (u, v); the solution of the Sylvester equation A X X^T + U U^T A = Y X^T + U V^T. With m and
/// m' independent pairs, unit inputs and noise sigma, its risk |A - true|^2 is about
/// sigma^2 d^2 / (m + m'): a second direction is worth as much as more data of the first.
Eigen::MatrixXd tied_least_squares_map(const VectorPairs& forward, const VectorPairs& backward);

}  // namespace roundtrip

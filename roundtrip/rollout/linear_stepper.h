#pragma once

#include <memory>

#include <Eigen/Core>

#include "roundtrip/rollout/stepper.h"
#include "roundtrip/systems/linear_gaussian_model.h"

namespace roundtrip {

/// Steps by a matrix: z' = forward z, z = backward z', in double precision, from the nearest
/// context frame alone. A frame of `shape` is the vector of its entries in memory's order. Rows of
/// a batch come out the same bits in any batch.
std::unique_ptr<Stepper> make_linear_stepper(const Eigen::MatrixXd& forward,
                                             const Eigen::MatrixXd& backward,
                                             const FrameShape& shape, int64_t contexts = 1);

/// The optimal one-step predictors of a linear-Gaussian process: the exact answer a learned
/// stepper tends to. `shape` has as many entries as the process.
std::unique_ptr<Stepper> make_linear_stepper(const LinearGaussianModel& model,
                                             const FrameShape& shape, int64_t contexts = 1);

}  // namespace roundtrip

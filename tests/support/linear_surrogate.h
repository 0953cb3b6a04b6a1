#pragma once

#include <memory>

#include <Eigen/Core>

#include "roundtrip/models/codec.h"
#include "roundtrip/models/identity_codec.h"
#include "roundtrip/rollout/linear_stepper.h"
#include "roundtrip/rollout/surrogate.h"

namespace roundtrip {

/// A vector as a frame (size, 1, 1), double precision.
inline torch::Tensor frame_of(const Eigen::VectorXd& vector) {
  return torch::from_blob(const_cast<double*>(vector.data()), {vector.size(), 1, 1},
                          torch::kFloat64)
      .clone();
}

/// A model of frames (size, 1, 1) that steps by the given stepper; its codec changes nothing.
inline Surrogate surrogate_of(std::shared_ptr<Stepper> stepper) {
  const FrameShape frame = stepper->frame();
  Surrogate surrogate;
  surrogate.name = "test";
  surrogate.layout = {"test", {}, frame.height, frame.width};
  const auto count = static_cast<size_t>(frame.channels);
  for (size_t c = 0; c < count; ++c) surrogate.layout.channels.push_back("c" + std::to_string(c));
  surrogate.codec = std::make_shared<Codec>(
      make_identity_codec(frame),
      CodecScales{std::vector<double>(count, 0), std::vector<double>(count, 1),
                  identity_standardiser(frame.channels)});
  surrogate.stepper = std::move(stepper);
  return surrogate;
}

/// A model of frames (size, 1, 1) that steps by matrices.
inline Surrogate linear_surrogate(const Eigen::MatrixXd& forward, const Eigen::MatrixXd& backward,
                                  int64_t contexts) {
  return surrogate_of(make_linear_stepper(forward, backward, {forward.rows(), 1, 1}, contexts));
}

}  // namespace roundtrip

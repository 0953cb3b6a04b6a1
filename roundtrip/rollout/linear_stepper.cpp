#include "roundtrip/rollout/linear_stepper.h"

#include <torch/types.h>
#include <torch/utils.h>

#include "roundtrip/base/error.h"

namespace roundtrip {
namespace {

class LinearStepper final : public Stepper {
 public:
  LinearStepper(const Eigen::MatrixXd& forward, const Eigen::MatrixXd& backward,
                const FrameShape& shape, int64_t contexts)
      : forward_(forward), backward_(backward), shape_(shape), contexts_(contexts) {
    const int64_t size = shape.channels * shape.height * shape.width;
    ensure(forward.rows() == size && forward.cols() == size && backward.rows() == size &&
               backward.cols() == size && contexts >= 1,
           "linear stepper: matrices as large as a frame");
  }

  torch::Tensor step(const FrameWindows& inputs) override {
    return mapped(inputs.context.select(1, -1), inputs.direction, forward_, backward_);
  }

  torch::Tensor vjp(const FrameWindows& inputs, const torch::Tensor& cotangent) override {
    torch::Tensor result = torch::zeros_like(inputs.context);
    result.select(1, -1).copy_(
        mapped(cotangent, inputs.direction, forward_.transpose(), backward_.transpose()));
    return result;
  }

  int64_t contexts() const override { return contexts_; }
  FrameShape frame() const override { return shape_; }
  torch::ScalarType type() const override { return torch::kFloat64; }

 private:
  // Row by row: a product of all rows at once may sum in another order in another batch.
  static torch::Tensor mapped(const torch::Tensor& frames, const torch::Tensor& directions,
                              const Eigen::MatrixXd& forward, const Eigen::MatrixXd& backward) {
    const torch::NoGradGuard no_grad;
    const torch::Tensor from = frames.to(torch::kFloat64).flatten(1).contiguous();
    torch::Tensor to = torch::empty_like(from);
    const auto* signs = directions.data_ptr<int64_t>();
    for (int64_t row = 0; row < from.size(0); ++row) {
      const Eigen::Map<const Eigen::VectorXd> z(from[row].data_ptr<double>(), from.size(1));
      Eigen::Map<Eigen::VectorXd> next(to[row].data_ptr<double>(), from.size(1));
      next.noalias() = (signs[row] > 0 ? forward : backward) * z;
    }
    return to.view_as(frames);
  }

  Eigen::MatrixXd forward_, backward_;
  FrameShape shape_;
  int64_t contexts_;
};

}  // namespace

std::unique_ptr<Stepper> make_linear_stepper(const Eigen::MatrixXd& forward,
                                             const Eigen::MatrixXd& backward,
                                             const FrameShape& shape, int64_t contexts) {
  return std::make_unique<LinearStepper>(forward, backward, shape, contexts);
}

std::unique_ptr<Stepper> make_linear_stepper(const LinearGaussianModel& model,
                                             const FrameShape& shape, int64_t contexts) {
  return make_linear_stepper(model.forward_map(), model.backward_map(), shape, contexts);
}

}  // namespace roundtrip

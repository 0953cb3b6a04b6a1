// (x_k, v) is (x0, eps) turned by the angle whose cosine is sqrt(abar); v after Salimans & Ho 2022.
#include "roundtrip/diffusion/prediction.h"

#include <torch/types.h>

#include "roundtrip/base/error.h"

namespace roundtrip {
namespace {

// sqrt(abar) and sqrt(1 - abar), taken in float64 and then rounded to the frames' type.
struct Coefficients {
  Coefficients(const torch::Tensor& abar, const torch::Tensor& frame)
      : signal(abar.sqrt().to(frame.scalar_type())),
        noise((1 - abar).sqrt().to(frame.scalar_type())) {
    ensure(abar.scalar_type() == torch::kFloat64, "prediction: expected abar in float64");
  }
  torch::Tensor signal;
  torch::Tensor noise;
};

}  // namespace

const Registry<PredictionEntry>& predictions() {
  static const Registry<PredictionEntry> rows = {
      {"eps", "the noise", Prediction::eps},
      {"v", "sqrt(abar) noise - sqrt(1 - abar) frame, well conditioned at every noise level",
       Prediction::v},
      {"x0", "the clean frame", Prediction::x0},
  };
  return rows;
}

torch::Tensor add_noise(const torch::Tensor& x0, const torch::Tensor& eps,
                        const torch::Tensor& abar) {
  const Coefficients c(abar, x0);
  return c.signal * x0 + c.noise * eps;
}

torch::Tensor training_target(Prediction prediction, const torch::Tensor& x0,
                              const torch::Tensor& eps, const torch::Tensor& abar) {
  switch (prediction) {
    case Prediction::eps:
      return eps;
    case Prediction::x0:
      return x0;
    case Prediction::v: {
      const Coefficients c(abar, x0);
      return c.signal * eps - c.noise * x0;
    }
  }
  throw Bug("training_target: unknown prediction");
}

DenoisedEstimate estimate(Prediction prediction, const torch::Tensor& output,
                          const torch::Tensor& noised, const torch::Tensor& abar) {
  const Coefficients c(abar, noised);
  switch (prediction) {
    case Prediction::eps:
      return {.x0 = (noised - c.noise * output) / c.signal, .eps = output};
    case Prediction::x0:
      return {.x0 = output, .eps = (noised - c.signal * output) / c.noise};
    case Prediction::v:
      return {.x0 = c.signal * noised - c.noise * output,
              .eps = c.noise * noised + c.signal * output};
  }
  throw Bug("estimate: unknown prediction");
}

}  // namespace roundtrip

// z_0 ~ N(0, Sigma), then z' = A z + e with e ~ N(0, Q): exact draws, so every frame has the
// stationary law and no transient is thrown away.
#include "roundtrip/systems/linear_gaussian.h"

#include <Eigen/Cholesky>
#include <fmt/format.h>

#include "roundtrip/base/error.h"
#include "roundtrip/systems/preset.h"

namespace roundtrip {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

const Registry<PresetEntry<LinearGaussianConfig>>& presets() {
  static const Registry<PresetEntry<LinearGaussianConfig>> rows = {
      {"small", {.resolution = 8, .frames = 50, .spectrum = {}}},
      {"paper", {.resolution = 16, .frames = 100, .spectrum = {}}},
  };
  return rows;
}

MatrixXd cholesky_factor(const MatrixXd& covariance) {
  const Eigen::LLT<MatrixXd> factor(covariance);
  ensure(factor.info() == Eigen::Success, "linear_gaussian: a covariance is positive definite");
  return factor.matrixL();
}

class LinearGaussian : public System {
 public:
  explicit LinearGaussian(const LinearGaussianConfig& config)
      : config_(config),
        model_(make_linear_gaussian_model(config)),
        start_factor_(cholesky_factor(model_.covariance())),
        noise_factor_(cholesky_factor(model_.forward_noise())) {}

  DatasetLayout layout(int64_t /*group*/) const override {
    const LinearGaussianSpectrum& spectrum = config_.spectrum;
    DatasetLayout layout;
    layout.dataset_name = "linear_gaussian";
    layout.file_stem = "linear_gaussian";
    layout.fields = {{.name = "state", .components = 1}};
    std::vector<double> centres;
    for (int64_t i = 0; i < config_.resolution; ++i) {
      centres.push_back((static_cast<double>(i) + 0.5) / static_cast<double>(config_.resolution));
    }
    layout.axes = {{"x", centres, "PERIODIC"}, {"y", centres, "PERIODIC"}};
    for (int64_t t = 0; t < config_.frames; ++t) layout.times.push_back(static_cast<double>(t));
    // All it takes to build A and Q again.
    layout.parameters = {{"slowest", spectrum.slowest},
                         {"fastest", spectrum.fastest},
                         {"rotation", spectrum.rotation},
                         {"non_normality", spectrum.non_normality},
                         {"matrix_seed", static_cast<double>(spectrum.matrix_seed)}};
    layout.notes = {{"process", "z' = A z + e, e ~ N(0, Q), stationary; z in row-major order"}};
    return layout;
  }

  SolveReport solve(const TrajectoryKey& key, const FrameSink& sink) const override {
    const int64_t size = config_.dimension();
    const RandomStream start = draws_for(key, "linear_gaussian.start");
    const RandomStream noise = draws_for(key, "linear_gaussian.noise");
    VectorXd draws(size);
    const std::span<double> draw_span(draws.data(), static_cast<size_t>(size));
    std::vector<float> stored(static_cast<size_t>(size));

    start.fill_normal(draw_span);
    VectorXd state = start_factor_.triangularView<Eigen::Lower>() * draws;
    for (int64_t frame = 0; frame < config_.frames; ++frame) {
      if (frame > 0) {
        noise.fill_normal(draw_span, static_cast<uint64_t>((frame - 1) * size));
        const VectorXd kick = noise_factor_.triangularView<Eigen::Lower>() * draws;
        state = model_.forward_map() * state + kick;
      }
      for (int64_t i = 0; i < size; ++i) {
        stored[static_cast<size_t>(i)] = static_cast<float>(state[i]);
      }
      sink(frame, stored);
    }
    return {.steps = config_.frames - 1, .redraws = 0};
  }

  std::string settings() const override { return settings_toml("linear_gaussian", config_, bind); }

 private:
  LinearGaussianConfig config_;
  LinearGaussianModel model_;
  MatrixXd start_factor_;  // L of Sigma = L L^T
  MatrixXd noise_factor_;  // L of Q = L L^T
};

}  // namespace

void bind(LinearGaussianConfig& config, Settings& settings) {
  LinearGaussianSpectrum& spectrum = config.spectrum;
  settings
      .add("resolution", config.resolution, "cells along an axis; z has resolution^2 components")
      .within(1, 32);  // A is dense: 1024 x 1024 there, and seconds to set up
  settings.add("frames", config.frames, "stored frames, one step of unit time apart")
      .within(2, 1e6);
  settings.add("slowest", spectrum.slowest, "largest modulus of an eigenvalue of A")
      .within(0, 0.9999);
  settings.add("fastest", spectrum.fastest, "smallest modulus of an eigenvalue of A")
      .within(0, 0.9999);
  settings.add("rotation", spectrum.rotation, "largest angle of an eigenvalue, radians per step")
      .within(0, 3.141592653589793);
  settings
      .add("non_normality", spectrum.non_normality,
           "departure of A from normal over the norm of its eigenvalues; 0: Sigma = I")
      .within(0, 1);
  settings.add("matrix_seed", spectrum.matrix_seed, "seed of A, whatever the trajectories' seed")
      .within(0, 9007199254740992);
}

LinearGaussianModel make_linear_gaussian_model(const LinearGaussianConfig& config) {
  if (config.spectrum.fastest > config.spectrum.slowest) {
    throw Error("linear_gaussian", fmt::format("fastest: expected at most slowest = {}, found {}",
                                               config.spectrum.slowest, config.spectrum.fastest));
  }
  return make_linear_gaussian_model(config.dimension(), config.spectrum);
}

std::unique_ptr<System> make_linear_gaussian(const LinearGaussianConfig& config) {
  return std::make_unique<LinearGaussian>(config);
}

std::unique_ptr<System> make_linear_gaussian(std::string_view preset,
                                             const std::vector<std::string>& overrides) {
  return make_linear_gaussian(resolve_preset(
      "linear_gaussian", presets(), preset, overrides,
      [](LinearGaussianConfig& config, Settings& settings) { bind(config, settings); }));
}

}  // namespace roundtrip

// The data set of Li et al. 2021, "Fourier neural operator for parametric partial differential
// equations", appendix A.3.3, with a fourth-order integrator in place of theirs (kept as scheme
// "fno").
#include "roundtrip/systems/navier_stokes.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include "roundtrip/base/error.h"
#include "roundtrip/systems/fno_scheme.h"
#include "roundtrip/systems/gaussian_random_field.h"
#include "roundtrip/systems/navier_stokes_solver.h"
#include "roundtrip/systems/preset.h"

namespace roundtrip {
namespace {

constexpr std::string_view kName = "navier_stokes";
constexpr double kFnoStep = 1e-4;      // the published data's
constexpr int64_t kMostAttempts = 10;  // initial states tried before giving up
constexpr double kMostSteps = 1e9;     // of a fixed dt, months of computing
// No vorticity exceeds the initial maximum by more than the forcing adds (the maximum principle of
// the equation). A spectral solution overshoots at fronts, never by this factor unless it breaks.
constexpr double kBrokenFactor = 10;
constexpr int64_t kMostPoints = 8192;  // per axis: 8 GB

const Registry<PresetEntry<NavierStokesConfig>>& presets() {
  static const Registry<PresetEntry<NavierStokesConfig>> rows = {
      {"small", {.solve_resolution = 128}},
      {"paper", {.solve_resolution = 256}},
  };
  return rows;
}

void bind(NavierStokesConfig& config, Settings& settings) {
  settings.add("resolution", config.resolution, "stored points per axis").within(2, kMostPoints);
  settings
      .add("solve_resolution", config.solve_resolution,
           "points per axis of the solver, even, a multiple of resolution")
      .within(4, kMostPoints);
  settings.add("viscosity", config.viscosity, "kinematic viscosity").within(0, 1e6);
  settings.add("forcing", config.forcing, "amplitude of the forcing, 0 = off").within(-1e6, 1e6);
  settings
      .add("amplitude", config.amplitude,
           "of the initial vorticity: standard deviation 0.26196 or 0.18523")
      .one_of({"original", "rewrite"});
  settings.add("start_time", config.start_time, "time of the first stored frame").within(0, 1e6);
  settings.add("end_time", config.end_time, "time of the last stored frame").within(0, 1e6);
  settings.add("frames", config.frames, "stored frames, equally spaced").within(1, 1e6);
  settings.add("scheme", config.scheme, "time integrator").one_of({"ifrk4", "fno"});
  settings
      .add("courant", config.courant, "ifrk4 with dt 0: grid spacings the flow crosses in a step")
      .within(1e-3, 1.35);
  settings.add("dt", config.dt, "fixed time step; 0: ifrk4 by courant, fno 1e-4").within(0, 1e6);
}

void check(const NavierStokesConfig& config) {
  if (config.solve_resolution % config.resolution != 0 || config.solve_resolution % 2 != 0) {
    throw Error(kName,
                fmt::format("solve_resolution: expected an even number, a multiple of resolution "
                            "{}, found {}; set solve_resolution={}",
                            config.resolution, config.solve_resolution,
                            std::min(2 * config.resolution, kMostPoints)));
  }
  check_frame_times(kName, config.start_time, config.end_time, config.frames);
  if (config.dt > 0 && config.end_time / config.dt > kMostSteps) {
    throw Error(kName,
                fmt::format("dt: expected at most {:.0e} steps to end_time {}, so dt >= {}, "
                            "found {}",
                            kMostSteps, config.end_time, config.end_time / kMostSteps, config.dt));
  }
}

double largest_size(const Field& field) {
  double largest = 0;
  // A NaN stays: no later value compares as larger.
  for (const double value : field) largest = std::abs(value) <= largest ? largest : std::abs(value);
  return largest;
}

class NavierStokes : public System {
 public:
  explicit NavierStokes(NavierStokesConfig config) : config_(std::move(config)) {
    initial_.variance_scale =
        config_.amplitude == "original" ? kOriginalVarianceScale : kRewriteVarianceScale;
    initial_std_ = initial_.standard_deviation(config_.solve_resolution);
  }

  DatasetLayout layout(int64_t) const override {
    DatasetLayout layout;
    layout.dataset_name = kName;
    layout.fields = {{"vorticity", 1}};
    std::vector<double> points;
    for (int64_t i = 0; i < config_.resolution; ++i) {
      points.push_back(static_cast<double>(i) / static_cast<double>(config_.resolution));
    }
    layout.axes = {{"x", points, "PERIODIC"}, {"y", points, "PERIODIC"}};
    layout.times = frame_times(config_.start_time, config_.end_time, config_.frames);
    layout.parameters = {{"viscosity", config_.viscosity},
                         {"forcing", config_.forcing},
                         {"initial_std", initial_std_}};
    layout.notes = {
        {"equation",
         "w_t + u w_x + v w_y = viscosity Lap w + f, u = psi_y, v = -psi_x, "
         "-Lap psi = w"},
        {"forcing_term", "f = forcing (sin 2 pi (x + y) + cos 2 pi (x + y))"},
        {"initial",
         fmt::format("Gaussian random field at time 0, amplitude {}", config_.amplitude)},
        {"solver", fmt::format("{} on {} x {} points, stored with stride {}", config_.scheme,
                               config_.solve_resolution, config_.solve_resolution, stride())}};
    layout.file_stem = fmt::format("{}_viscosity_{}", kName, config_.viscosity);
    return layout;
  }

  SolveReport solve(const TrajectoryKey& key, const FrameSink& sink) const override {
    SolveReport report;
    const std::unique_ptr<VorticitySolver> solver = make_solver();
    const RealFft2d fft(config_.solve_resolution);
    for (; report.redraws < kMostAttempts; ++report.redraws) {
      const RandomStream draws = draws_for(key, "navier_stokes.vorticity", report.redraws);
      solver->set(initial_.sample(draws, config_.solve_resolution));
      if (run(*solver, fft, sink, report)) return report;
    }
    throw Error(kName, fmt::format("trajectory {} {}: the solution broke down from {} initial "
                                   "states; shorten the step ({})",
                                   key.split, key.index, kMostAttempts,
                                   config_.scheme == "fno" ? "dt" : "dt or courant"));
  }

  std::string settings() const override { return settings_toml(kName, config_, bind); }

 private:
  int64_t stride() const { return config_.solve_resolution / config_.resolution; }

  double time(int64_t frame) const {
    return frame_time(config_.start_time, config_.end_time, config_.frames, frame);
  }

  std::unique_ptr<VorticitySolver> make_solver() const {
    VorticityFlow flow{config_.solve_resolution, config_.viscosity, {}};
    if (config_.forcing != 0) {
      flow.forcing = diagonal_forcing(config_.solve_resolution, config_.forcing);
    }
    if (config_.scheme == "fno") {
      return make_fno_scheme(flow, config_.dt > 0 ? config_.dt : kFnoStep);
    }
    return make_ifrk4(flow, {.courant = config_.courant, .dt = config_.dt});
  }

  // Solves from the solver's state; false when the solution broke down.
  bool run(VorticitySolver& solver, const RealFft2d& fft, const FrameSink& sink,
           SolveReport& report) const {
    Field fine;
    const auto to_grid = [&] {
      Spectrum spectrum = solver.vorticity();
      fft.to_field(spectrum, fine);
    };
    to_grid();
    const double initial_size = largest_size(fine);
    std::vector<float> stored(static_cast<size_t>(config_.resolution * config_.resolution));
    double now = 0;
    for (int64_t frame = 0; frame < config_.frames; ++frame) {
      const AdvanceReport advance = solver.advance(time(frame) - now);
      report.steps += advance.steps;
      if (!advance.finite) return false;
      now = time(frame);
      to_grid();
      const double allowed = initial_size + std::numbers::sqrt2 * std::abs(config_.forcing) * now;
      if (!(largest_size(fine) <= kBrokenFactor * allowed)) return false;
      subsample(fine, stored);
      sink(frame, stored);
    }
    return true;
  }

  void subsample(const Field& fine, std::vector<float>& stored) const {
    size_t place = 0;
    for (int64_t x = 0; x < config_.solve_resolution; x += stride()) {
      for (int64_t y = 0; y < config_.solve_resolution; y += stride()) {
        stored[place++] =
            static_cast<float>(fine[static_cast<size_t>(x * config_.solve_resolution + y)]);
      }
    }
  }

  NavierStokesConfig config_;
  GaussianRandomField initial_;
  double initial_std_ = 0;
};

}  // namespace

std::unique_ptr<System> make_navier_stokes(std::string_view preset,
                                           const std::vector<std::string>& overrides) {
  NavierStokesConfig config = resolve_preset(kName, presets(), preset, overrides, bind);
  check(config);
  return std::make_unique<NavierStokes>(std::move(config));
}

}  // namespace roundtrip

// Kelvin-Helmholtz rolls at a sliding contact mix cold and hot gas; the mixture cools, which draws
// hot gas in. Initial state, cooling curve and parameters after Fielding, Ostriker, Bryan & Jermyn
// 2020 (ApJL 894, L24); grid, times and file names those of the Well's
// turbulent_radiative_layer_2D, for which this is a stand-in.
#include "roundtrip/systems/radiative_layer.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "roundtrip/base/error.h"
#include "roundtrip/base/interrupt.h"
#include "roundtrip/systems/preset.h"

namespace roundtrip {
namespace {

constexpr int64_t kMaxAttempts = 8;
// Hot gas has sound speed 1.29; a speed like this is a solution breaking down, and would make steps
// without end.
constexpr double kBrokenSpeed = 1e4;
// Half-width of the noise across the interface. Not the thickness, which coarse grids do not
// resolve: the rows beside the interface must have the amplitude asked for on every grid.
constexpr double kNoiseReach = 0.125;

const Registry<PresetEntry<RadiativeLayerConfig>>& presets() {
  static const Registry<PresetEntry<RadiativeLayerConfig>> rows = {
      {"small", {.resolution = 32}},
      {"paper", {}},
  };
  return rows;
}

void bind(RadiativeLayerConfig& c, Settings& settings) {
  settings.add("resolution", c.resolution, "cells along x; y has three times as many")
      .within(8, 2048);  // 1.2 GB
  settings.add("frames", c.frames, "stored frames, equally spaced").within(1, 1e6);
  settings.add("start_time", c.start_time, "time of the first stored frame").within(0, 1e6);
  settings.add("end_time", c.end_time, "time of the last stored frame").within(0, 1e6);
  settings.add("gamma", c.gamma, "ratio of specific heats").within(1.01, 3);
  settings.add("courant", c.courant, "fraction of the stable time step").within(0.01, 0.95);
  settings.add("limiter", c.limiter, "monotonised slopes; false only for smooth flows");
  settings.add("density_contrast", c.density_contrast, "density of the cold gas / the hot gas")
      .within(1.01, 1e4);
  settings.add("shear_velocity", c.shear_velocity, "of the hot gas against the cold gas")
      .within(0, 1);
  settings.add("thickness", c.thickness, "of the tanh profiles of density and velocity")
      .within(1e-4, 0.5);
  settings.add("perturbation", c.perturbation, "rms noise in vy at the interface / shear_velocity")
      .within(0, 1000);
  settings.add("perturbation_modes", c.perturbation_modes, "wavenumbers 1, 2, ... in the noise")
      .within(1, 1024);
  settings.add("lower_boundary", c.lower_boundary, "open (zero gradient) or wall")
      .one_of({"open", "wall"});
  settings.add("cooling", c.cooling, "false: adiabatic gas");
  settings.add("cooling_width", c.cooling_width, "with cooling: of the cooling curve, in ln T")
      .within(0.2, 5);
  settings
      .add("cooling_times", c.cooling_times,
           "with cooling: of mixed gas at pressure 1; a file each")
      .within(1e-4, 1e6);
}

// "0.03", "1.00" as the Well names them; more digits only where two decimals would lose some.
std::string shown(double cooling_time) {
  const std::string text = fmt::format("{:.2f}", cooling_time);
  return std::stod(text) == cooling_time ? text : fmt::format("{}", cooling_time);
}

// The layer's pressure falls below 1 as it cools, by what it takes to draw hot gas in from above at
// some hundredths of the sound speed. An open end below then lets cold gas rise too: slowly, but a
// hundred times denser, so that mass streams in during the whole run. A wall below holds it, and
// with it the growth of mass is that of the Well's stats.yaml: there the mean density grows by 2 in
// the whole run, with an open end by 18.
EulerConfig grid(const RadiativeLayerConfig& c) {
  const EulerBoundary below =
      c.lower_boundary == "wall" ? EulerBoundary::wall : EulerBoundary::open;
  EulerConfig grid;
  grid.x = {c.resolution, -0.5, 0.5, EulerBoundary::periodic, EulerBoundary::periodic};
  grid.y = {3 * c.resolution, -1, 2, below, EulerBoundary::open};
  grid.gamma = c.gamma;
  grid.courant = c.courant;
  grid.limiter = c.limiter;
  return grid;
}

// Random amplitudes and phases, scaled to the requested rms whatever was drawn.
struct Noise {
  std::vector<double> cosine, sine;  // of wavenumber k + 1

  Noise(const RadiativeLayerConfig& c, const RandomStream& draws)
      : cosine(c.perturbation_modes), sine(c.perturbation_modes) {
    double power = 0;
    for (size_t k = 0; k < cosine.size(); ++k) {
      cosine[k] = draws.normal(2 * k);
      sine[k] = draws.normal(2 * k + 1);
      power += 0.5 * (cosine[k] * cosine[k] + sine[k] * sine[k]);
    }
    const double scale = c.perturbation * c.shear_velocity / std::sqrt(power);
    for (size_t k = 0; k < cosine.size(); ++k) {
      cosine[k] *= scale;
      sine[k] *= scale;
    }
  }

  double operator()(double x) const {
    double sum = 0;
    for (size_t k = 0; k < cosine.size(); ++k) {
      const double phase = 2 * std::numbers::pi * static_cast<double>(k + 1) * x;
      sum += cosine[k] * std::cos(phase) + sine[k] * std::sin(phase);
    }
    return sum;
  }
};

}  // namespace

RadiativeLayer::RadiativeLayer(const RadiativeLayerConfig& c, int64_t group,
                               const RandomStream& draws)
    : solver_(grid(c)) {
  if (c.cooling) {
    CoolingConfig curve;
    curve.gamma = c.gamma;
    curve.cold = 1 / c.density_contrast;
    curve.width = c.cooling_width;
    curve.cooling_time = c.cooling_times.at(group);
    cooling_ = std::make_unique<RadiativeCooling>(curve);
  }
  const Noise noise(c, draws);
  const EulerAxis &x = solver_.config().x, &y = solver_.config().y;
  for (int64_t i = 0; i < x.cells; ++i) {
    const double ripple = noise(x.centre(i));
    for (int64_t j = 0; j < y.cells; ++j) {
      const double height = y.centre(j) / c.thickness, reach = y.centre(j) / kNoiseReach;
      const double hot = 0.5 * (1 + std::tanh(height));
      Gas gas;
      gas.density = c.density_contrast + (1 - c.density_contrast) * hot;
      gas.velocity_x = c.shear_velocity * (hot - 0.5);
      gas.velocity_y = ripple * std::exp(-reach * reach);
      solver_.set_gas(i, j, gas);
    }
  }
}

void RadiativeLayer::cool(double dt) {
  if (cooling_) radiated_ += cooling_->apply(solver_.state(), dt) * solver_.cell_area();
}

double RadiativeLayer::next_step() {
  const double dt = solver_.stable_step();
  const double spacing = std::min(solver_.config().x.spacing(), solver_.config().y.spacing());
  if (dt < spacing / kBrokenSpeed) runaway_ = true;
  return dt;
}

void RadiativeLayer::advance(double time) {
  if (time <= time_ || !sound()) return;
  double dt = std::min(next_step(), time - time_);
  cool(0.5 * dt);
  while (true) {
    stop_if_interrupted();
    if (!sound()) return;
    solver_.step(dt);
    ++steps_;
    const double left = time - (time_ + dt);
    if (left <= 1e-12 * time) break;
    // The second half of this step's cooling and the first half of the next one's are one flow.
    // Cooling only slows sound down, so the step found before it stays stable.
    const double next = std::min(next_step(), left);
    cool(0.5 * (dt + next));
    time_ += dt;
    dt = next;
  }
  cool(0.5 * dt);
  time_ = time;
}

namespace {

class RadiativeLayerSystem final : public System {
 public:
  explicit RadiativeLayerSystem(RadiativeLayerConfig config) : config_(std::move(config)) {}

  int64_t groups() const override {
    return config_.cooling ? std::ssize(config_.cooling_times) : 1;
  }

  DatasetLayout layout(int64_t group) const override;
  SolveReport solve(const TrajectoryKey& key, const FrameSink& sink) const override;

  std::string settings() const override { return settings_toml("radiative_layer", config_, bind); }

 private:
  std::vector<double> times() const {
    return frame_times(config_.start_time, config_.end_time, config_.frames);
  }

  RadiativeLayerConfig config_;
};

DatasetLayout RadiativeLayerSystem::layout(int64_t group) const {
  const EulerConfig cells = grid(config_);
  DatasetLayout layout;
  layout.dataset_name = "turbulent_radiative_layer_2D";
  layout.fields = {{"density"}, {"pressure"}, {"velocity", 2}};
  layout.axes = {{"x", {}, "PERIODIC"}, {"y", {}, "OPEN"}};
  if (config_.lower_boundary == "wall") layout.axes[1].lower_boundary = "WALL";
  for (int64_t i = 0; i < cells.x.cells; ++i) {
    layout.axes[0].coordinates.push_back(cells.x.centre(i));
  }
  for (int64_t j = 0; j < cells.y.cells; ++j) {
    layout.axes[1].coordinates.push_back(cells.y.centre(j));
  }
  layout.times = times();
  layout.notes = {{"origin", "generated stand-in, not the Well's own simulation"}};
  layout.file_stem = "turbulent_radiative_layer_adiabatic";
  if (config_.cooling) {
    const double cooling_time = config_.cooling_times.at(group);
    layout.parameters = {{"tcool", cooling_time}};
    layout.file_stem = "turbulent_radiative_layer_tcool_" + shown(cooling_time);
  }
  return layout;
}

// False when the gas has left the physical range anywhere. The solver counts floored cells when it
// next steps, so the floors are asked here too.
bool write_frame(const EulerSolver& solver, std::vector<float>& values) {
  const int64_t nx = solver.config().x.cells, ny = solver.config().y.cells;
  const int64_t plane = nx * ny;
  const double density_floor = solver.config().density_floor;
  const double pressure_floor = solver.config().pressure_floor;
  bool sound = true;
  for (int64_t i = 0; i < nx; ++i) {
    for (int64_t j = 0; j < ny; ++j) {
      const Gas gas = solver.gas(i, j);
      sound = sound && gas.density >= density_floor && gas.pressure >= pressure_floor &&
              std::isfinite(gas.density) && std::isfinite(gas.pressure) &&
              std::isfinite(gas.velocity_x) && std::isfinite(gas.velocity_y);
      float* cell = values.data() + i * ny + j;
      cell[0] = static_cast<float>(gas.density);
      cell[plane] = static_cast<float>(gas.pressure);
      cell[2 * plane] = static_cast<float>(gas.velocity_x);
      cell[3 * plane] = static_cast<float>(gas.velocity_y);
    }
  }
  return sound;
}

SolveReport RadiativeLayerSystem::solve(const TrajectoryKey& key, const FrameSink& sink) const {
  const std::vector<double> at = times();
  std::vector<float> values(4 * 3 * config_.resolution * config_.resolution);
  SolveReport report;
  for (int64_t attempt = 0; attempt < kMaxAttempts; ++attempt) {
    RadiativeLayer layer(config_, key.index % groups(),
                         draws_for(key, "radiative_layer.noise", attempt));
    bool sound = true;
    for (int64_t frame = 0; frame < config_.frames && sound; ++frame) {
      layer.advance(at[frame]);
      sound = layer.sound() && write_frame(layer.solver(), values);
      if (sound) sink(frame, values);
    }
    report.steps += layer.steps();
    if (sound) return report;
    ++report.redraws;
  }
  throw Error("radiative_layer",
              fmt::format("trajectory {}/{}: the solution broke down for each of {} initial states;"
                          " lower courant, shear_velocity, perturbation or density_contrast",
                          key.split, key.index, kMaxAttempts));
}

}  // namespace

std::unique_ptr<System> make_radiative_layer(std::string_view preset,
                                             const std::vector<std::string>& overrides) {
  RadiativeLayerConfig config =
      resolve_preset("radiative_layer", presets(), preset, overrides, bind);
  check_frame_times("radiative_layer", config.start_time, config.end_time, config.frames);
  std::vector<double> distinct = config.cooling_times;
  std::sort(distinct.begin(), distinct.end());
  if (distinct.empty() || std::adjacent_find(distinct.begin(), distinct.end()) != distinct.end()) {
    throw Error("radiative_layer", "cooling_times: expected at least one and no two alike");
  }
  return std::make_unique<RadiativeLayerSystem>(std::move(config));
}

}  // namespace roundtrip

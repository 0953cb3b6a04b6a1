#include "roundtrip/systems/mhd.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "roundtrip/base/error.h"
#include "roundtrip/systems/mhd_average.h"
#include "roundtrip/systems/preset.h"

namespace roundtrip {
namespace {

constexpr int64_t kMaxAttempts = 20;
constexpr int64_t kMostCells = 8192;  // per axis

void bind(MhdConfig& config, Settings& settings) {
  MhdInitialConfig& initial = config.initial;
  MhdScheme& scheme = config.scheme;
  const auto add = [&](const char* name, auto& value, const char* meaning) -> Settings::Row& {
    return settings.add(name, value, meaning);
  };
  add("resolution", config.resolution, "stored cells along x and along y").within(4, kMostCells);
  add("solve_resolution", config.solve_resolution,
      "cells along x and along y of the solver, a multiple of resolution; 0 = resolution")
      .within(0, kMostCells);
  add("initial", initial.kind, "initial state").one_of(mhd_initial_kinds());
  add("frames", config.frames, "stored frames, equally spaced").within(1, 1e6);
  add("start_time", config.start_time, "time of the first stored frame").within(0, 1e3);
  add("end_time", config.end_time, "time of the last stored frame").within(0, 1e3);
  add("pressure", config.pressure, "stored pressure: total (gas + B^2/2) or gas")
      .one_of({"total", "gas"});
  add("gamma", scheme.gamma, "adiabatic index").within(1.01, 10);
  add("courant", scheme.courant, "time step as a fraction of the largest").within(0.01, 0.5);
  add("limiter", scheme.limiter, "limit slopes (minmod); without, shocks ring");
  add("density_floor", scheme.density_floor, "a density below it ends the attempt")
      .within(1e-12, 1e3);
  add("pressure_floor", scheme.pressure_floor, "likewise for gas pressure").within(1e-12, 1e3);
  add("vector_potential", initial.vector_potential,
      "random and orszag_tang: where A_z is sampled, node or center (B half a cell off)")
      .one_of({"node", "center"});
  add("gaussians", initial.gaussians, "random start: bumps in the vector potential")
      .within(1, 10000);
  add("width_min", initial.width_min, "random start: smallest standard deviation of a bump")
      .within(1e-3, 0.2);
  add("width_max", initial.width_max, "random start: largest standard deviation of a bump")
      .within(1e-3, 0.2);
  add("density_min", initial.density_min,
      "random start: smallest mean density, drawn log-uniformly")
      .within(1e-6, 1e6);
  add("density_max", initial.density_max, "random start: largest mean density").within(1e-6, 1e6);
  add("pressure_min", initial.pressure_min,
      "random start: smallest mean gas pressure, drawn log-uniformly")
      .within(1e-6, 1e6);
  add("pressure_max", initial.pressure_max, "random start: largest mean gas pressure")
      .within(1e-6, 1e6);
  add("field_min", initial.field_min, "random start: smallest rms of |B|, drawn uniformly")
      .within(0, 100);
  add("field_max", initial.field_max, "random start: largest rms of |B|").within(0, 100);
  add("velocity_min", initial.velocity_min, "random start: smallest rms of |v|, drawn uniformly")
      .within(0, 100);
  add("velocity_max", initial.velocity_max, "random start: largest rms of |v|").within(0, 100);
  add("density_contrast", initial.density_contrast,
      "random start: rms variation of density over its mean")
      .within(0, 2);
  add("pressure_contrast", initial.pressure_contrast, "random start: likewise of gas pressure")
      .within(0, 2);
  add("max_mode", initial.max_mode,
      "random start: waves |k| <= max_mode in density, pressure and velocity")
      .within(1, 64);
  add("spectral_slope", initial.spectral_slope,
      "random start: amplitude of wave k falls as |k|^-slope")
      .within(0, 10);
  add("field_scale", initial.field_scale, "multiplies the magnetic field of any start")
      .within(-100, 100);
  add("velocity_scale", initial.velocity_scale, "multiplies the velocity of any start")
      .within(-100, 100);
}

const Registry<PresetEntry<MhdConfig>>& presets() {
  static const Registry<PresetEntry<MhdConfig>> rows = {
      {"small", {.resolution = 64, .frames = 100, .end_time = 0.99}},
      {"paper", {.resolution = 512, .frames = 100, .end_time = 0.99}},
  };
  return rows;
}

void require_ordered(std::string_view low, double a, std::string_view high, double b) {
  if (a <= b) return;
  throw Error(
      "mhd", fmt::format("{} = {} exceeds {} = {}; lower one or raise the other", low, a, high, b));
}

int64_t solve_cells(const MhdConfig& config) {
  return config.solve_resolution == 0 ? config.resolution : config.solve_resolution;
}

void check(const MhdConfig& config) {
  if (solve_cells(config) % config.resolution != 0) {
    throw Error("mhd", fmt::format("solve_resolution: expected a multiple of resolution {}, found "
                                   "{}; set solve_resolution={}",
                                   config.resolution, config.solve_resolution,
                                   std::min(2 * config.resolution, kMostCells)));
  }
  check_frame_times("mhd", config.start_time, config.end_time, config.frames);
  const MhdInitialConfig& initial = config.initial;
  require_ordered("width_min", initial.width_min, "width_max", initial.width_max);
  require_ordered("density_min", initial.density_min, "density_max", initial.density_max);
  require_ordered("pressure_min", initial.pressure_min, "pressure_max", initial.pressure_max);
  require_ordered("field_min", initial.field_min, "field_max", initial.field_max);
  require_ordered("velocity_min", initial.velocity_min, "velocity_max", initial.velocity_max);
  // A wave the grid does not resolve is another wave, or none.
  if (initial.kind == "random" && 2 * initial.max_mode > config.resolution) {
    throw Error("mhd", fmt::format("max_mode: expected at most half of resolution {}, found {}; "
                                   "lower it or raise resolution",
                                   config.resolution, initial.max_mode));
  }
}

class Mhd : public System {
 public:
  explicit Mhd(MhdConfig config)
      : config_(std::move(config)),
        grid_{solve_cells(config_), solve_cells(config_), 1.0 / solve_cells(config_)} {
    check(config_);
  }

  DatasetLayout layout(int64_t group) const override;
  SolveReport solve(const TrajectoryKey& key, const FrameSink& sink) const override;
  std::string settings() const override { return settings_toml("mhd", config_, bind); }

 private:
  double time(int64_t frame) const {
    return frame_time(config_.start_time, config_.end_time, config_.frames, frame);
  }
  int64_t factor() const { return grid_.nx / config_.resolution; }
  std::vector<float> frame_values(const MhdFields& solved) const;
  std::string scheme_note() const;

  const MhdConfig config_;
  const MhdGrid grid_;  // of the solver
};

DatasetLayout Mhd::layout(int64_t /*group*/) const {
  DatasetLayout layout;
  layout.dataset_name = "mhd";
  layout.file_stem = "mhd";
  layout.fields = {{"density", 1}, {"pressure", 1}, {"velocity", 2}, {"magnetic_field", 2}};
  std::vector<double> centres;
  const double spacing = 1.0 / config_.resolution;
  for (int64_t i = 0; i < config_.resolution; ++i) centres.push_back((i + 0.5) * spacing);
  layout.axes = {{"x", centres, "PERIODIC"}, {"y", centres, "PERIODIC"}};
  layout.times = frame_times(config_.start_time, config_.end_time, config_.frames);
  layout.parameters = {{"gamma", config_.scheme.gamma}};
  layout.notes = {
      {"pressure", config_.pressure == "total" ? "total (gas + B^2/2)" : "gas"},
      {"magnetic_field", "mean of a cell's opposite faces; units in which its pressure is B^2/2"},
      {"initial", config_.initial.kind},
      {"scheme", scheme_note()},
  };
  return layout;
}

std::string Mhd::scheme_note() const {
  std::string note = fmt::format(
      "MUSCL-Hancock ({} slopes), Rusanov flux, constrained transport, Courant number {}",
      config_.scheme.limiter ? "minmod" : "central", config_.scheme.courant);
  if (mhd_initial_has_potential(config_.initial.kind)) {
    note += fmt::format(", A_z at {}s", config_.initial.vector_potential);
  }
  if (factor() > 1) {
    note += fmt::format(
        "; solved on {} x {} cells, stored as means of mass, momentum, energy and field over {} x "
        "{} of them",
        grid_.nx, grid_.ny, factor(), factor());
  }
  return note;
}

std::vector<float> Mhd::frame_values(const MhdFields& solved) const {
  const MhdFields fields = average_cells(solved, grid_, factor(), config_.scheme.gamma);
  const auto& pressure = config_.pressure == "total" ? fields.total_pressure : fields.gas_pressure;
  std::vector<float> values;
  values.reserve(6 * fields.density.size());
  for (const auto* field : {&fields.density, &pressure, &fields.velocity_x, &fields.velocity_y,
                            &fields.field_x, &fields.field_y}) {
    for (const double value : *field) values.push_back(static_cast<float>(value));
  }
  return values;
}

SolveReport Mhd::solve(const TrajectoryKey& key, const FrameSink& sink) const {
  SolveReport report;
  int64_t broken_at_start = 0;
  for (int64_t attempt = 0; attempt < kMaxAttempts; ++attempt) {
    MhdSolver solver(grid_, config_.scheme,
                     make_mhd_initial(config_.initial, config_.scheme.gamma, grid_, key, attempt));
    int64_t frame = 0;
    while (frame < config_.frames && solver.advance_to(time(frame))) {
      sink(frame, frame_values(solver.fields()));
      ++frame;
    }
    report.steps += solver.steps();
    if (frame == config_.frames) return report;
    broken_at_start += solver.steps() == 0;
    const bool last = attempt + 1 == kMaxAttempts || !mhd_initial_is_random(config_.initial.kind);
    if (last && broken_at_start == attempt + 1) {
      throw Error("mhd", fmt::format("the {} state already lies below density_floor = {} or "
                                     "pressure_floor = {}; lower them",
                                     config_.initial.kind, config_.scheme.density_floor,
                                     config_.scheme.pressure_floor));
    }
    if (!mhd_initial_is_random(config_.initial.kind)) {
      throw Error("mhd", fmt::format("the {} state broke down at t = {:.4g} (density or pressure "
                                     "fell below its floor); set limiter=true, lower courant or "
                                     "the scales of field and velocity",
                                     config_.initial.kind, solver.time()));
    }
    ++report.redraws;
  }
  throw Error("mhd", fmt::format("{} initial states in a row broke down (density or pressure fell "
                                 "below its floor); lower velocity_max, velocity_scale, field_max, "
                                 "field_scale or the contrasts, or raise resolution",
                                 kMaxAttempts));
}

}  // namespace

std::unique_ptr<System> make_mhd(const MhdConfig& config) { return std::make_unique<Mhd>(config); }

std::unique_ptr<System> make_mhd(std::string_view preset,
                                 const std::vector<std::string>& overrides) {
  return make_mhd(resolve_preset<MhdConfig>("mhd", presets(), preset, overrides, bind));
}

std::vector<std::string> mhd_settings_when_absent() {
  return {"density_min=0.2210485320720769", "density_max=0.2210485320720769",
          "pressure_min=0.13262911924324614", "pressure_max=0.13262911924324614",
          "solve_resolution=0"};
}

}  // namespace roundtrip

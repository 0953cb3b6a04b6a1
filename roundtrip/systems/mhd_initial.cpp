// Initial states as smooth functions of position with random coefficients, so that one key gives
// the same flow at every resolution. The magnetic field is the discrete curl of a vector potential,
// hence free of divergence to round-off.
#include "roundtrip/systems/mhd_initial.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "roundtrip/base/registry.h"

namespace roundtrip {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kLowest = 0.3;  // random density and pressure stay above this share of their mean

double centre(const MhdGrid& grid, int64_t i) { return (i + 0.5) * grid.spacing; }

// Of the vortex, and of the other starts that are not random states: sound travels at speed 1.
double vortex_density(double gamma) { return gamma * gamma / (4 * kPi); }
double vortex_pressure(double gamma) { return gamma / (4 * kPi); }

using Function = std::function<double(double x, double y)>;

std::vector<double> sample(const MhdGrid& grid, const Function& f, double offset = 0.5) {
  std::vector<double> values(grid.cells());
  for (int64_t i = 0; i < grid.nx; ++i) {
    for (int64_t j = 0; j < grid.ny; ++j) {
      values[i * grid.ny + j] = f((i + offset) * grid.spacing, (j + offset) * grid.spacing);
    }
  }
  return values;
}

// Where A_z of cell (i, j) is sampled, in cells: its upper right node, or its centre taken for it.
double potential_offset(const MhdInitialConfig& config) {
  return config.vector_potential == "node" ? 1.0 : 0.5;
}

// B = (dA/dy, -dA/dx) on the faces, from A at the upper right node of every cell.
void set_field(MhdState& state, const MhdGrid& grid, const std::vector<double>& potential) {
  state.face_field_x.resize(grid.cells());
  state.face_field_y.resize(grid.cells());
  for (int64_t i = 0; i < grid.nx; ++i) {
    const int64_t left = (i == 0 ? grid.nx : i) - 1;
    for (int64_t j = 0; j < grid.ny; ++j) {
      const int64_t below = (j == 0 ? grid.ny : j) - 1;
      const double here = potential[i * grid.ny + j];
      state.face_field_x[i * grid.ny + j] = (here - potential[i * grid.ny + below]) / grid.spacing;
      state.face_field_y[i * grid.ny + j] = (potential[left * grid.ny + j] - here) / grid.spacing;
    }
  }
}

void set_uniform_field(MhdState& state, const MhdGrid& grid, double bx, double by) {
  state.face_field_x.assign(grid.cells(), bx);
  state.face_field_y.assign(grid.cells(), by);
}

// A random sum of waves 0 < |k| <= max_mode with unit rms, on the cell centres. Wave by wave as
// products of one-dimensional tables: a sine per cell and wave would cost more than the solve's
// first hundred steps.
std::vector<double> random_waves(const MhdGrid& grid, const MhdInitialConfig& config,
                                 const RandomStream& draws) {
  struct Wave {
    int64_t kx, ky;
    double cosine, sine;
  };
  std::vector<Wave> waves;
  double square = 0;
  uint64_t draw = 0;
  const int64_t top = config.max_mode;
  for (int64_t kx = 0; kx <= top; ++kx) {
    for (int64_t ky = kx == 0 ? 1 : -top; ky <= top; ++ky) {
      const double k2 = static_cast<double>(kx * kx + ky * ky);
      if (k2 > static_cast<double>(top * top)) continue;
      const double amplitude = std::pow(k2, -0.5 * config.spectral_slope);
      const double a = amplitude * draws.normal(draw), b = amplitude * draws.normal(draw + 1);
      waves.push_back({kx, ky, a, b});
      square += 0.5 * (a * a + b * b);
      draw += 2;
    }
  }
  std::vector<double> values(grid.cells(), 0.0), cosine(grid.ny), sine(grid.ny);
  const double norm = 1 / std::sqrt(square);
  for (const Wave& wave : waves) {
    for (int64_t j = 0; j < grid.ny; ++j) {
      const double angle = 2 * kPi * wave.ky * centre(grid, j);
      cosine[j] = std::cos(angle), sine[j] = std::sin(angle);
    }
    for (int64_t i = 0; i < grid.nx; ++i) {
      const double angle = 2 * kPi * wave.kx * centre(grid, i);
      const double c = norm * std::cos(angle), s = norm * std::sin(angle);
      const double in_phase = wave.cosine * c + wave.sine * s;
      const double quadrature = wave.sine * c - wave.cosine * s;
      double* row = &values[i * grid.ny];
      for (int64_t j = 0; j < grid.ny; ++j) row[j] += in_phase * cosine[j] + quadrature * sine[j];
    }
  }
  return values;
}

// mean * max(1 + contrast * waves, 0.3)
std::vector<double> random_positive(const MhdGrid& grid, const MhdInitialConfig& config,
                                    const RandomStream& draws, double mean, double contrast) {
  std::vector<double> values = random_waves(grid, config, draws);
  for (double& value : values) value = mean * std::max(1 + contrast * value, kLowest);
  return values;
}

struct Bump {
  double x, y, width, amplitude;
};

// Mean of |grad A|^2 over the unit torus for A a sum of periodic Gaussians. The overlap of two at
// distance r is C(r) = 2 pi (s s')^2 / S exp(-r^2 / 2S), S = s^2 + s'^2, and that of their
// gradients -laplacian C. Exact, so the field strength does not depend on the grid.
double mean_square_gradient(const std::vector<Bump>& bumps) {
  double sum = 0;
  for (const Bump& a : bumps) {
    for (const Bump& b : bumps) {
      const double variance = a.width * a.width + b.width * b.width;
      const double product = a.width * a.width * b.width * b.width;
      const double scale = 2 * kPi * a.amplitude * b.amplitude * product / variance;
      for (int mx = -1; mx <= 1; ++mx) {
        for (int my = -1; my <= 1; ++my) {
          const double dx = std::remainder(a.x - b.x, 1.0) + mx;
          const double dy = std::remainder(a.y - b.y, 1.0) + my;
          const double q = (dx * dx + dy * dy) / variance;
          sum += scale * std::exp(-0.5 * q) * (2 - q) / variance;
        }
      }
    }
  }
  return sum;
}

// One row of a periodic Gaussian: the nearest images suffice up to widths of 0.2.
std::vector<double> periodic_gaussian(int64_t n, double spacing, double offset, double at,
                                      double width) {
  std::vector<double> values(n);
  for (int64_t i = 0; i < n; ++i) {
    const double distance = std::remainder((i + offset) * spacing - at, 1.0);
    for (int image = -1; image <= 1; ++image) {
      const double q = (distance + image) / width;
      values[i] += std::exp(-0.5 * q * q);
    }
  }
  return values;
}

std::vector<double> random_potential(const MhdGrid& grid, const MhdInitialConfig& config,
                                     const RandomStream& draws, double field_rms) {
  std::vector<Bump> bumps;
  for (int64_t g = 0; g < config.gaussians; ++g) {
    const uint64_t draw = 8 * static_cast<uint64_t>(g);
    bumps.push_back({draws.uniform(draw), draws.uniform(draw + 1),
                     draws.uniform(draw + 2, config.width_min, config.width_max),
                     draws.normal(draw + 4)});
  }
  const double norm = field_rms / std::sqrt(mean_square_gradient(bumps));
  const double offset = potential_offset(config);
  std::vector<double> potential(grid.cells(), 0.0);
  for (const Bump& bump : bumps) {
    const auto along_x = periodic_gaussian(grid.nx, grid.spacing, offset, bump.x, bump.width);
    const auto along_y = periodic_gaussian(grid.ny, grid.spacing, offset, bump.y, bump.width);
    for (int64_t i = 0; i < grid.nx; ++i) {
      const double factor = norm * bump.amplitude * along_x[i];
      double* row = &potential[i * grid.ny];
      for (int64_t j = 0; j < grid.ny; ++j) row[j] += factor * along_y[j];
    }
  }
  return potential;
}

// Between low and high, every factor as likely as another; `low` itself where the two are equal.
double log_uniform(double draw, double low, double high) {
  return low * std::pow(high / low, draw);
}

struct Setup {
  const MhdInitialConfig& config;
  double gamma;
  const MhdGrid& grid;
  const TrajectoryKey& key;
  int64_t attempt;

  RandomStream draws(std::string_view purpose) const { return draws_for(key, purpose, attempt); }
};

MhdState random_state(const Setup& setup) {
  const MhdInitialConfig& config = setup.config;
  const RandomStream amplitudes = setup.draws("mhd.amplitude");
  const double field = amplitudes.uniform(0, config.field_min, config.field_max);
  const double speed = amplitudes.uniform(1, config.velocity_min, config.velocity_max);
  const double density = log_uniform(amplitudes.uniform(2), config.density_min, config.density_max);
  const double pressure =
      log_uniform(amplitudes.uniform(3), config.pressure_min, config.pressure_max);
  MhdState state;
  state.density = random_positive(setup.grid, config, setup.draws("mhd.density"), density,
                                  config.density_contrast);
  state.gas_pressure = random_positive(setup.grid, config, setup.draws("mhd.pressure"), pressure,
                                       config.pressure_contrast);
  state.velocity_x = random_waves(setup.grid, config, setup.draws("mhd.velocity_x"));
  state.velocity_y = random_waves(setup.grid, config, setup.draws("mhd.velocity_y"));
  for (auto* component : {&state.velocity_x, &state.velocity_y}) {
    for (double& value : *component) value *= speed / std::numbers::sqrt2;
  }
  set_field(state, setup.grid,
            random_potential(setup.grid, config, setup.draws("mhd.potential"), field));
  return state;
}

// Orszag & Tang 1979, in the compressible form of Ryu, Miniati, Jones & Frank 1998.
MhdState orszag_tang(const Setup& setup) {
  const double strength = 1 / std::sqrt(4 * kPi);
  MhdState state;
  state.density.assign(setup.grid.cells(), vortex_density(setup.gamma));
  state.gas_pressure.assign(setup.grid.cells(), vortex_pressure(setup.gamma));
  state.velocity_x = sample(setup.grid, [](double, double y) { return -std::sin(2 * kPi * y); });
  state.velocity_y = sample(setup.grid, [](double x, double) { return std::sin(2 * kPi * x); });
  const auto potential = [&](double x, double y) {
    return strength * (std::cos(4 * kPi * x) / (4 * kPi) + std::cos(2 * kPi * y) / (2 * kPi));
  };
  set_field(state, setup.grid, sample(setup.grid, potential, potential_offset(setup.config)));
  return state;
}

// A band of double density slides along x through lighter gas: shear layers at y = 1/4 and 3/4,
// bent by four waves of random phase and size; a weak uniform field along the flow.
MhdState kelvin_helmholtz(const Setup& setup) {
  constexpr double kLayer = 0.02;  // half-thickness of a shear layer
  constexpr double kReach = 0.08;  // of the bending velocity from its layer
  constexpr double kKick = 0.15;   // its size: rolls up within one crossing time, also at 64 cells
  constexpr uint64_t kWaves = 4;
  const RandomStream draws = setup.draws("mhd.kelvin_helmholtz");
  const double shear = draws.uniform(0, 0.5, 0.8);
  const double field = draws.uniform(1, 0.02, 0.1);
  const auto band = [](double y) {
    return 0.5 * (std::tanh((y - 0.25) / kLayer) - std::tanh((y - 0.75) / kLayer));
  };
  const auto bend = [&](double x, double y) {
    double sum = 0;
    for (uint64_t layer = 0; layer < 2; ++layer) {
      const double q = std::remainder(y - (layer == 0 ? 0.25 : 0.75), 1.0) / kReach;
      for (uint64_t m = 1; m <= kWaves; ++m) {
        const uint64_t draw = 16 * (layer + 1) + 2 * m;
        const double phase = draws.uniform(draw, 0, 2 * kPi), size = draws.uniform(draw + 1, 0, 1);
        sum +=
            size * std::exp(-0.5 * q * q) * std::sin(2 * kPi * static_cast<double>(m) * x + phase);
      }
    }
    return kKick * sum;
  };
  MhdState state;
  const double rho = vortex_density(setup.gamma);
  state.density = sample(setup.grid, [&](double, double y) { return rho * (1 + band(y)); });
  state.gas_pressure.assign(setup.grid.cells(), vortex_pressure(setup.gamma));
  state.velocity_x =
      sample(setup.grid, [&](double, double y) { return shear * (2 * band(y) - 1); });
  state.velocity_y = sample(setup.grid, bend);
  set_uniform_field(state, setup.grid, field, 0);
  return state;
}

// A disc of high pressure in a uniform magnetised gas at rest; centre, radius, pressure and the
// direction and strength of the field are drawn.
MhdState blast(const Setup& setup) {
  constexpr double kEdge = 0.015;
  constexpr double kFieldMin = 0.1, kFieldMax = 0.4;  // strength of the uniform field
  const RandomStream draws = setup.draws("mhd.blast");
  const double at_x = draws.uniform(0), at_y = draws.uniform(1);
  const double radius = draws.uniform(2, 0.08, 0.16), ratio = draws.uniform(3, 5, 20);
  const double angle = draws.uniform(4, 0, 2 * kPi);
  const double field = draws.uniform(5, kFieldMin, kFieldMax);
  const double ambient = vortex_pressure(setup.gamma);
  MhdState state;
  state.density.assign(setup.grid.cells(), vortex_density(setup.gamma));
  state.velocity_x.assign(setup.grid.cells(), 0.0);
  state.velocity_y.assign(setup.grid.cells(), 0.0);
  state.gas_pressure = sample(setup.grid, [&](double x, double y) {
    const double r = std::hypot(std::remainder(x - at_x, 1.0), std::remainder(y - at_y, 1.0));
    return ambient * (1 + (ratio - 1) * 0.5 * (1 - std::tanh((r - radius) / kEdge)));
  });
  set_uniform_field(state, setup.grid, field * std::cos(angle), field * std::sin(angle));
  return state;
}

struct KindEntry {
  std::string_view name;
  bool random;
  bool from_potential;
  MhdState (*make)(const Setup&);
};

const Registry<KindEntry>& kinds() {
  static const Registry<KindEntry> rows = {
      {"random", /*random=*/true, /*from_potential=*/true, random_state},
      {"orszag_tang", false, true, orszag_tang},
      {"kelvin_helmholtz", true, false, kelvin_helmholtz},
      {"blast", true, false, blast},
  };
  return rows;
}

}  // namespace

const std::vector<std::string>& mhd_initial_kinds() {
  static const std::vector<std::string> names = names_of(kinds());
  return names;
}

bool mhd_initial_is_random(const std::string& kind) {
  return find_entry(kinds(), "mhd initial state", kind).random;
}

bool mhd_initial_has_potential(const std::string& kind) {
  return find_entry(kinds(), "mhd initial state", kind).from_potential;
}

MhdState make_mhd_initial(const MhdInitialConfig& config, double gamma, const MhdGrid& grid,
                          const TrajectoryKey& key, int64_t attempt) {
  const KindEntry& row = find_entry(kinds(), "mhd initial state", config.kind);
  MhdState state = row.make({config, gamma, grid, key, attempt});
  for (auto* component : {&state.velocity_x, &state.velocity_y}) {
    for (double& value : *component) value *= config.velocity_scale;
  }
  for (auto* component : {&state.face_field_x, &state.face_field_y}) {
    for (double& value : *component) value *= config.field_scale;
  }
  return state;
}

}  // namespace roundtrip

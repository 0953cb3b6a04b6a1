// At constant density the temperature obeys d theta/dt = -a f(theta). With f piecewise linear the
// solution inside a bin is an exponential and the time to cross a bin is known in advance, so a
// step of any length is a walk down the bins: exact for the tabulated curve, and each phase is an
// exact fixed point. The idea of Townsend 2009 (ApJS 181, 391) without its inverse table.
// The curve follows Fielding, Ostriker, Bryan & Jermyn 2020 (ApJL 894, L24).
#include "roundtrip/systems/radiative_cooling.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "roundtrip/base/error.h"

namespace roundtrip {
namespace {

// Bins are equal parts of each octave of theta: a bin's number is the leading bits of the double,
// found without a logarithm.
constexpr int kBitsPerOctave = 8;
constexpr int kShift = 52 - kBitsPerOctave;
constexpr int64_t kFirst = std::bit_cast<int64_t>(1.0) >> kShift;

int64_t bin_of(double theta) { return (std::bit_cast<int64_t>(theta) >> kShift) - kFirst; }
double start_of(int64_t bin) { return std::bit_cast<double>((bin + kFirst) << kShift); }

// (1 - exp(-z)) / z, accurate for small z of either sign.
double decay(double z) {
  if (std::abs(z) < 1e-3) return 1 - z * (0.5 - z * (1.0 / 6 - z * (1.0 / 24)));
  return -std::expm1(-z) / z;
}

}  // namespace

RadiativeCooling::RadiativeCooling(const CoolingConfig& config) : config_(config) {
  if (!(config.cold > 0 && config.hot > config.cold && config.width > 0 &&
        config.cooling_time > 0 && config.pressure > 0)) {
    throw Error(
        "radiative_cooling",
        fmt::format("expected 0 < cold < hot and positive width, pressure and cooling time,"
                    " found cold {}, hot {}, width {}, pressure {}, cooling time {}",
                    config.cold, config.hot, config.width, config.pressure, config.cooling_time));
  }
  const double mixed_density = config.pressure / mixed_temperature();
  pace_ = mixed_temperature() / config.cold / (config.cooling_time * mixed_density);

  // Both ends are zero by definition, so that rounding leaves no cooling there.
  const double top = config.hot / config.cold;
  nodes_.push_back({1, 0, 0, 0});
  for (int64_t bin = 1; start_of(bin) < top; ++bin) {
    nodes_.push_back({start_of(bin), shape(start_of(bin) * config.cold), 0, 0});
  }
  nodes_.push_back({top, 0, 0, 0});
  for (size_t k = 0; k + 1 < nodes_.size(); ++k) {
    const Node& above = nodes_[k + 1];
    nodes_[k].slope = (above.shape - nodes_[k].shape) / (above.theta - nodes_[k].theta);
    nodes_[k].passage = passage(nodes_[k], above.theta, above.shape);
  }
}

double RadiativeCooling::mixed_temperature() const { return std::sqrt(config_.cold * config_.hot); }

double RadiativeCooling::shape(double temperature) const {
  if (temperature <= config_.cold || temperature >= config_.hot) return 0;
  const auto bell = [&](double t) {
    const double u = std::log(t / mixed_temperature()) / config_.width;
    return std::exp(-0.5 * u * u);
  };
  const double base = bell(config_.cold);
  return std::max(0.0, bell(temperature) - base) / (1 - base);
}

double RadiativeCooling::loss(double density, double temperature) const {
  // Lambda_mix such that mixed gas loses pressure / (gamma - 1) in one cooling time.
  const double relative = density * mixed_temperature() / config_.pressure;
  return config_.pressure / (config_.gamma - 1) / config_.cooling_time * relative * relative *
         shape(temperature);
}

double RadiativeCooling::passage(const Node& node, double theta, double shape_there) {
  if (node.shape == 0 || shape_there == 0) return std::numeric_limits<double>::infinity();
  const double ratio = shape_there / node.shape;
  if (std::abs(ratio - 1) < 1e-8) return (theta - node.theta) / node.shape;
  return std::log(ratio) / node.slope;
}

double RadiativeCooling::cooled(double density, double temperature, double dt) const {
  if (!(temperature > config_.cold && temperature < config_.hot)) return temperature;
  const double theta = temperature / config_.cold;
  double left = pace_ * density * dt;  // in units of the integral of d theta / shape
  int64_t bin = std::clamp<int64_t>(bin_of(theta), 0, std::ssize(nodes_) - 2);
  const double f = nodes_[bin].shape + nodes_[bin].slope * (theta - nodes_[bin].theta);
  if (!(f > 0)) return temperature;  // within rounding of a phase
  const double end = theta - f * left * decay(nodes_[bin].slope * left);
  if (bin == 0) return std::max(end, 1.0) * config_.cold;
  if (end >= nodes_[bin].theta) return end * config_.cold;

  // The first bin is crossed in part, later ones from node to node; bin 0 is never crossed.
  left -= passage(nodes_[bin], theta, f);
  for (--bin; left > nodes_[bin].passage; --bin) left -= nodes_[bin].passage;
  const Node& from = nodes_[bin + 1];
  left = std::max(left, 0.0);
  return (from.theta - from.shape * left * decay(nodes_[bin].slope * left)) * config_.cold;
}

double RadiativeCooling::apply(EulerState& state, double dt) const {
  const double per_thermal = 1 / (config_.gamma - 1);
  double lost = 0;
  for (size_t k = 0; k < state.density.size(); ++k) {
    const double rho = state.density[k];
    const double mx = state.momentum_x[k], my = state.momentum_y[k];
    const double thermal = state.energy[k] - 0.5 * (mx * mx + my * my) / rho;
    const double temperature = thermal / (rho * per_thermal);
    if (!(temperature > config_.cold && temperature < config_.hot)) continue;
    const double drop = (temperature - cooled(rho, temperature, dt)) * rho * per_thermal;
    state.energy[k] -= drop;
    lost += drop;
  }
  return lost;
}

}  // namespace roundtrip

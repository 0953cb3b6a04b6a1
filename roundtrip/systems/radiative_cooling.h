#pragma once

#include <cstdint>
#include <vector>

#include "roundtrip/systems/euler_solver.h"

namespace roundtrip {

/// A cooling curve between two phases that are both in thermal balance. The net loss per volume is
///     rho^2 Lambda(T),  Lambda(T) = Lambda_mix max(0, g(T) - g(cold)) / (1 - g(cold)),
/// where g is a Gaussian in ln T around the mixed temperature sqrt(cold hot): it vanishes at and
/// beyond both phases. Temperature is pressure / density.
struct CoolingConfig {
  double gamma = 5.0 / 3.0;
  double pressure = 1;      // of the two phases at rest
  double cold = 0.01;       // temperature of the cold phase
  double hot = 1;           // temperature of the hot phase
  double width = 1;         // of the Gaussian, in ln T
  double cooling_time = 1;  // thermal energy / loss of mixed gas at `pressure`
};

/// The loss of thermal energy by radiation at constant density, integrated exactly along a
/// piecewise linear table of the curve, so that no step is too long. Immutable.
class RadiativeCooling {
 public:
  explicit RadiativeCooling(const CoolingConfig& config);

  /// Energy lost per volume and time by the curve itself.
  double loss(double density, double temperature) const;

  /// The temperature after `dt` at constant density. Outside the two phases nothing changes.
  double cooled(double density, double temperature, double dt) const;

  /// Cools every cell for `dt`. Returns the sum over cells of the energy density lost.
  double apply(EulerState& state, double dt) const;

  double mixed_temperature() const;

 private:
  struct Node {
    double theta;    // temperature / cold
    double shape;    // Lambda / Lambda_mix there
    double slope;    // of the shape up to the next node
    double passage;  // integral of d theta / shape up to the next node
  };

  double shape(double temperature) const;
  /// Integral of d theta / shape from the node to theta in its bin.
  static double passage(const Node& node, double theta, double shape_there);

  CoolingConfig config_;
  double pace_;  // d theta/dt = -pace density shape
  std::vector<Node> nodes_;
};

}  // namespace roundtrip

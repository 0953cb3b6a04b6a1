#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "roundtrip/base/settings.h"
#include "roundtrip/systems/linear_gaussian_model.h"
#include "roundtrip/systems/system.h"

namespace roundtrip {

/// The linear-Gaussian system: z' = A z + e drawn from its stationary law. Its optimal forward and
/// backward predictors are known in closed form (linear_gaussian_model.h), which makes it the
/// system to test everything else against. z is stored as one scalar field on a periodic grid.
struct LinearGaussianConfig {
  int64_t resolution = 8;  // cells along an axis; z has resolution^2 components
  int64_t frames = 50;     // stored frames, one step of unit time apart, the first at time 0
  LinearGaussianSpectrum spectrum;

  int64_t dimension() const { return resolution * resolution; }
};

/// Lists the settings of a config.
void bind(LinearGaussianConfig& config, Settings& settings);

/// The model behind a config.
LinearGaussianModel make_linear_gaussian_model(const LinearGaussianConfig& config);

std::unique_ptr<System> make_linear_gaussian(const LinearGaussianConfig& config);

/// From a preset ("small": 8x8, "paper": 16x16) with overrides.
std::unique_ptr<System> make_linear_gaussian(std::string_view preset,
                                             const std::vector<std::string>& overrides);

}  // namespace roundtrip

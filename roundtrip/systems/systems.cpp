#include "roundtrip/systems/systems.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "roundtrip/base/json_text.h"
#include "roundtrip/base/settings.h"
#include "roundtrip/systems/linear_gaussian.h"
#include "roundtrip/systems/mhd.h"
#include "roundtrip/systems/navier_stokes.h"
#include "roundtrip/systems/radiative_layer.h"
#include "roundtrip/systems/talking_head.h"

namespace roundtrip {

const Registry<SystemEntry>& systems() {
  static const Registry<SystemEntry> rows = {
      {"mhd", "two-dimensional compressible ideal MHD by constrained transport", make_mhd,
       mhd_settings_when_absent()},
      {"navier_stokes", "two-dimensional forced turbulence in vorticity form, FNO's benchmark",
       make_navier_stokes},
      {"radiative_layer", "turbulent mixing layer of hot and cold gas that cools in between",
       make_radiative_layer},
      {"talking_head", "procedural face video: an identity that moves, blinks and talks",
       make_talking_head},
      {"linear_gaussian", "stationary linear process with known optimal maps both ways",
       make_linear_gaussian},
  };
  return rows;
}

std::unique_ptr<System> make_system(std::string_view name, std::string_view preset,
                                    const std::vector<std::string>& overrides) {
  return find_entry(systems(), "system", name).make(preset, overrides);
}

std::vector<std::string> recorded_overrides(std::string_view name, std::string_view document) {
  // A later override wins, so that what was recorded stands.
  std::vector<std::string> overrides = find_entry(systems(), "system", name).when_absent;
  const nlohmann::json values = toml_values(document);
  if (!values.is_object()) {
    throw Error("system",
                fmt::format("recorded settings of {}: expected TOML, found other text", name));
  }
  for (const auto& [key, value] : values.items()) {
    overrides.push_back(
        fmt::format("{}={}", key, value.is_string() ? value.get<std::string>() : json_text(value)));
  }
  return overrides;
}

}  // namespace roundtrip

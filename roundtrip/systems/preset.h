#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "roundtrip/base/registry.h"
#include "roundtrip/base/settings.h"

namespace roundtrip {

/// The presets every system has.
struct PresetSummary {
  std::string_view name;
  std::string_view summary;
};
inline constexpr PresetSummary kPresets[] = {
    {"small", "sizes for two cores"},
    {"paper", "the paper's sizes"},
};

/// One preset of a system: "small" trains on two cores, "paper" has the paper's sizes.
template <class Config>
struct PresetEntry {
  std::string_view name;
  Config config;
};

/// The preset's settings with the overrides applied; `bind(config, settings)` lists the settings.
template <class Config, class Bind>
Config resolve_preset(std::string_view system, const Registry<PresetEntry<Config>>& presets,
                      std::string_view preset, const std::vector<std::string>& overrides,
                      Bind bind) {
  Config config = find_entry(presets, "preset", preset).config;
  Settings settings{std::string(system)};
  bind(config, settings);
  for (const std::string& assignment : overrides) settings.read_override(assignment);
  return config;
}

/// The settings of `config` as a commented TOML document, for System::settings.
template <class Config, class Bind>
std::string settings_toml(std::string_view system, Config config, Bind bind) {
  Settings settings{std::string(system)};
  bind(config, settings);
  return settings.to_toml();
}

}  // namespace roundtrip

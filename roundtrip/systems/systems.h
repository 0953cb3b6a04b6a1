#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "roundtrip/base/registry.h"
#include "roundtrip/systems/system.h"

namespace roundtrip {

/// One row per system. `make` starts from a preset ("small" or "paper") and applies overrides
/// ("resolution=128") in order.
struct SystemEntry {
  std::string_view name;
  std::string_view summary;
  std::unique_ptr<System> (*make)(std::string_view preset,
                                  const std::vector<std::string>& overrides);
  /// What recorded settings mean by leaving out a setting that did not exist when they were
  /// written, as overrides.
  std::vector<std::string> when_absent = {};
};

/// All systems, by hand: adding one is a file pair, a test and a row here.
const Registry<SystemEntry>& systems();

/// The system called `name`; an Error that lists the known ones when there is none.
std::unique_ptr<System> make_system(std::string_view name, std::string_view preset,
                                    const std::vector<std::string>& overrides);

/// Overrides that make, from any preset, the system whose settings() were recorded as `document`,
/// by this version or an earlier one. Empty when it is not TOML.
std::vector<std::string> recorded_overrides(std::string_view name, std::string_view document);

}  // namespace roundtrip

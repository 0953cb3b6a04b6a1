#pragma once

#include <cstdint>
#include <string>

#include <nlohmann/json.hpp>

namespace roundtrip {

/// Where an output came from: enough to make it again. Contains no date, host or thread count, so
/// that equal settings give equal bytes.
struct Provenance {
  std::string config;  // resolved settings, TOML
  uint64_t seed = 0;
  nlohmann::ordered_json data = nlohmann::ordered_json::object();  // what was read or made
};

/// {version, commit, config, seed, data}: the `context` of every JSON output.
nlohmann::ordered_json to_json(const Provenance& provenance);

}  // namespace roundtrip

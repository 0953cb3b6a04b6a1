#pragma once

#include <memory>
#include <string>
#include <vector>

#include "roundtrip/base/provenance.h"
#include "roundtrip/cli/options.h"
#include "roundtrip/data/dataset.h"
#include "roundtrip/rollout/surrogate.h"

namespace roundtrip {

/// The options that every subcommand about a model and data has.
struct ModelOptions {
  SurrogateRequest surrogate;
  std::string data;
  std::vector<std::string> settings;  // data.* and sampler.*
};

void declare(ModelOptions& chosen, Options& options);

/// A model with the data it is to be used on.
struct OpenedModel {
  DataConfig config;
  std::unique_ptr<Dataset> dataset;
  Surrogate surrogate;
};

/// Opens both; data is read as the bundle's training read its own, but for settings that say
/// otherwise.
OpenedModel open_model(const ModelOptions& chosen);

/// Where a subcommand's result came from: `config` are its own settings, TOML, before the model's.
Provenance provenance_of(const OpenedModel& opened, const std::string& config);

/// "1,2,4", "1-28" or "1-10,20,40" as ascending numbers. An Error that says what is wrong.
std::vector<int64_t> parse_depths(const std::string& text);

/// "a,b" as its parts.
std::vector<std::string> split_list(const std::string& text);

}  // namespace roundtrip

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "roundtrip/calibration/features.h"
#include "roundtrip/calibration/pixel_sigma.h"
#include "roundtrip/calibration/signal_table.h"
#include "roundtrip/cli/command.h"
#include "roundtrip/cli/output.h"
#include "roundtrip/cli/shipped_models.h"
#include "roundtrip/diffusion/frame_target.h"
#include "roundtrip/diffusion/initial_noise.h"
#include "roundtrip/diffusion/loss_weight.h"
#include "roundtrip/diffusion/noise_levels.h"
#include "roundtrip/diffusion/prediction.h"
#include "roundtrip/diffusion/samplers.h"
#include "roundtrip/measurement/scenarios.h"
#include "roundtrip/models/codec_networks.h"
#include "roundtrip/models/denoiser.h"
#include "roundtrip/models/frame_predictor.h"
#include "roundtrip/nn/padding.h"
#include "roundtrip/evaluation/evaluation_tables.h"
#include "roundtrip/systems/preset.h"
#include "roundtrip/systems/systems.h"

namespace roundtrip {
namespace {

struct ListOptions {
  std::string system;
  std::string preset = "small";
  bool json = false;
};

struct Listed {
  std::string kind, name, summary;
};

template <class Entry>
void add(std::vector<Listed>& all, const char* kind, const Registry<Entry>& entries) {
  for (const Entry& entry : entries) {
    all.push_back({kind, std::string(entry.name), std::string(entry.summary)});
  }
}

// "C: out and back ...; columns C, C_regenerated, C_leakfree; 2 rollouts"
std::string described(const SignalEntry& signal) {
  std::vector<std::string_view> columns;
  for (const SignalColumn& column : signal.columns) columns.push_back(column.name);
  return fmt::format("{}; {} {}{}", signal.summary, columns.size() == 1 ? "column" : "columns",
                     fmt::join(columns, ", "),
                     signal.cost ? fmt::format("; costs {:g} rollouts", *signal.cost) : "");
}

// Every list of the program.
std::vector<Listed> everything() {
  std::vector<Listed> all;
  add(all, "system", systems());
  for (const PresetSummary& preset : kPresets) {
    all.push_back({"preset", std::string(preset.name), std::string(preset.summary)});
  }
  add(all, "codec", codec_networks());
  add(all, "denoiser", denoiser_networks());
  add(all, "padding", paddings());
  add(all, "prediction", predictions());
  add(all, "target", frame_targets());
  add(all, "weight", loss_weights());
  add(all, "input", noised_inputs());
  add(all, "levels", training_levels());
  add(all, "context", context_modes());
  add(all, "positions", position_inits());
  add(all, "sampler", samplers());
  add(all, "spacing", spacings());
  add(all, "noise_key", noise_keys());
  for (const SignalEntry& signal : signals()) {
    all.push_back({"signal", std::string(signal.name), described(signal)});
  }
  add(all, "signal group", signal_groups());
  add(all, "features", feature_sets());
  add(all, "pixel sigma", pixel_objects());
  add(all, "scenario", scenarios());
  add(all, "table", evaluation_tables());
  for (const std::string& name : shipped_models()) {
    all.push_back({"bundle", name, shipped_model(name)});
  }
  return all;
}

void list_all(bool json) {
  if (json) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const auto& [kind, name, summary] : everything()) {
      rows.push_back({{"kind", kind}, {"name", name}, {"summary", summary}});
    }
    return print_json({}, rows);
  }
  std::vector<std::vector<std::string>> table = {{"KIND", "NAME", "WHAT IT IS"}};
  std::string last;
  for (const auto& [kind, name, summary] : everything()) {
    table.push_back({kind == last ? "" : kind, name, summary});
    last = kind;
  }
  print_table(table);
  fmt::print("\nroundtrip list SYSTEM [--preset PRESET] prints a system's settings.\n");
}

void list_settings(const ListOptions& options) {
  const auto system = make_system(options.system, options.preset, {});
  if (options.json) {
    return print_json(
        {.config = system->settings()},
        nlohmann::ordered_json::array({{{"system", options.system}, {"preset", options.preset}}}));
  }
  fmt::print("# {}, preset {}\n{}", options.system, options.preset, system->settings());
}

}  // namespace

Action declare_list(Options& options) {
  auto chosen = std::make_shared<ListOptions>();
  options.add("system", chosen->system, "print this system's settings, each with its meaning");
  options.add("--preset", chosen->preset, "small or paper");
  options.flag("--json", chosen->json, "print one JSON object");
  return [chosen] { chosen->system.empty() ? list_all(chosen->json) : list_settings(*chosen); };
}

}  // namespace roundtrip

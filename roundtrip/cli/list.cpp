#include <fmt/format.h>

#include "roundtrip/cli/command.h"
#include "roundtrip/cli/output.h"
#include "roundtrip/systems/preset.h"
#include "roundtrip/systems/systems.h"

namespace roundtrip {
namespace {

struct ListOptions {
  std::string system;
  std::string preset = "small";
  bool json = false;
};

nlohmann::ordered_json catalog_rows() {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const SystemRow& row : systems()) {
    rows.push_back({{"kind", "system"}, {"name", row.name}, {"summary", row.summary}});
  }
  for (const PresetSummary& preset : kPresets) {
    rows.push_back({{"kind", "preset"}, {"name", preset.name}, {"summary", preset.summary}});
  }
  return rows;
}

void list_all(bool json) {
  if (json) return print_json({}, catalog_rows());
  std::vector<std::vector<std::string>> table = {{"SYSTEM", "WHAT IT IS"}};
  for (const SystemRow& row : systems()) {
    table.push_back({std::string(row.name), std::string(row.summary)});
  }
  table.push_back({});
  table.push_back({"PRESET", "WHAT IT IS"});
  for (const PresetSummary& preset : kPresets) {
    table.push_back({std::string(preset.name), std::string(preset.summary)});
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

#include <memory>

#include <fmt/format.h>

#include "roundtrip/cli/command.h"
#include "roundtrip/cli/output.h"
#include "roundtrip/cli/shipped_presets.h"
#include "roundtrip/train/train_config.h"

namespace roundtrip {
namespace {

struct ConfigOptions {
  std::string config;
  std::vector<std::string> overrides;
};

}  // namespace

Action declare_config(Options& options) {
  auto chosen = std::make_shared<ConfigOptions>();
  options.add("config", chosen->config,
              "a preset by name (mhd-small), or a file like those of configs/",
              Options::Need::required);
  options.add("settings", chosen->overrides, "key=value ...: instead of the file's");
  return [chosen] {
    const std::string path = preset_path(chosen->config);
    fmt::print("{}", to_toml(read_train_config(path, chosen->overrides, print_note)));
  };
}

}  // namespace roundtrip

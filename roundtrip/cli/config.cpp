#include <memory>

#include <fmt/format.h>

#include "roundtrip/cli/command.h"
#include "roundtrip/cli/output.h"
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
  options.add("config", chosen->config, "a file as those of configs/", Options::Need::required);
  options.add("settings", chosen->overrides, "key=value ...: instead of the file's");
  return [chosen] {
    fmt::print("{}", to_toml(read_train_config(chosen->config, chosen->overrides, print_note)));
  };
}

}  // namespace roundtrip

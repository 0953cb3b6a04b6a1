// layers.txt is the order of the layers; this walks every file of roundtrip/ and checks its
// includes against it.
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace {

namespace fs = std::filesystem;

struct Layer {
  int height = 0;
  bool torch_free = false;
};

std::map<std::string, Layer> read_layers(const fs::path& path) {
  std::map<std::string, Layer> layers;
  std::ifstream in(path);
  std::string line;
  while (std::getline(in, line)) {
    std::istringstream words(line.substr(0, line.find('#')));
    std::string name, mark;
    words >> name >> mark;
    if (!name.empty()) layers[name] = {static_cast<int>(layers.size()), mark == "torch-free"};
  }
  return layers;
}

// Why an include is not allowed in a file of `layer`, or "".
std::string offence(const std::map<std::string, Layer>& layers, const std::string& layer,
                    const std::string& include) {
  static const std::regex torch_header("(torch|ATen|c10)/.*");
  static const std::regex own_header("roundtrip/([a-z_]+)/.*");
  const Layer own = layers.at(layer);
  if (own.torch_free && std::regex_match(include, torch_header))
    return "torch in a torch-free layer";
  std::smatch match;
  if (!std::regex_match(include, match, own_header)) return "";
  const auto target = layers.find(match[1]);
  if (target == layers.end()) return "a layer that layers.txt does not list";
  if (target->second.height > own.height) return "an upward include";
  return "";
}

const fs::path kSource = ROUNDTRIP_SOURCE_DIR;

TEST(Layers, EveryIncludePointsDown) {
  const auto layers = read_layers(kSource / "layers.txt");
  static const std::regex include_line("\\s*#\\s*include\\s*[<\"]([^>\"]+)[>\"].*");
  int checked = 0;
  for (const auto& entry : fs::recursive_directory_iterator(kSource / "roundtrip")) {
    if (!entry.is_regular_file()) continue;
    const std::string layer = fs::relative(entry, kSource / "roundtrip").begin()->string();
    ASSERT_TRUE(layers.contains(layer)) << entry.path() << " is in no layer of layers.txt";
    std::ifstream in(entry.path());
    std::string line;
    std::smatch match;
    while (std::getline(in, line)) {
      if (!std::regex_match(line, match, include_line)) continue;
      EXPECT_EQ(offence(layers, layer, match[1]), "") << entry.path() << " includes " << match[1];
      ++checked;
    }
  }
  EXPECT_GT(checked, 100);
}

TEST(Layers, TheCheckItselfSeesOffences) {
  const auto layers = read_layers(kSource / "layers.txt");
  EXPECT_EQ(offence(layers, "base", "roundtrip/systems/system.h"), "an upward include");
  EXPECT_EQ(offence(layers, "metrics", "torch/torch.h"), "torch in a torch-free layer");
  EXPECT_EQ(offence(layers, "base", "roundtrip/nowhere/x.h"),
            "a layer that layers.txt does not list");
  EXPECT_EQ(offence(layers, "cli", "torch/torch.h"), "");
  EXPECT_EQ(offence(layers, "systems", "roundtrip/io/png.h"), "");
}

}  // namespace

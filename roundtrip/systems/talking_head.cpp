#include "roundtrip/systems/talking_head.h"

#include <fmt/format.h>

#include "roundtrip/base/error.h"
#include "roundtrip/base/settings.h"
#include "roundtrip/systems/preset.h"
#include "roundtrip/systems/talking_head_face.h"
#include "roundtrip/systems/talking_head_motion.h"
#include "roundtrip/systems/talking_head_render.h"

namespace roundtrip {
namespace {

struct Config {
  int64_t resolution = 64;         // pixels a side
  int64_t frames = 75;             // 25 model frames at stride 3; the paper's depths need 23
  double rate = 25;                // frames per second
  int64_t clips_per_identity = 2;  // CelebV-HQ: 35,666 clips of 15,653 people
};

void bind(Config& config, Settings& settings) {
  // Even: MP4 stores colour at half resolution.
  settings.add("resolution", config.resolution, "pixels a side, even").within(16, 2048);
  settings.add("frames", config.frames, "stored frames of a clip").within(1, 1e6);
  settings.add("rate", config.rate, "stored frames per second").within(1, 240);
  settings.add("clips_per_identity", config.clips_per_identity, "clips that show the same head")
      .within(1, 1e9);
}

const Registry<PresetEntry<Config>>& presets() {
  static const Registry<PresetEntry<Config>> rows = {{"small", {.resolution = 64}},
                                                  {"paper", {.resolution = 256}}};
  return rows;
}

class TalkingHead final : public System {
 public:
  explicit TalkingHead(const Config& config) : config_(config) {
    if (config.resolution % 2 != 0) {
      throw Error("talking_head",
                  fmt::format("resolution: expected an even number, found {}", config.resolution));
    }
  }

  DatasetLayout layout(int64_t /*group*/) const override {
    DatasetLayout layout;
    layout.dataset_name = "talking_head";
    layout.file_stem = "talking_head";
    layout.fields = {{"red"}, {"green"}, {"blue"}};
    for (const char* name : {"row", "column"}) {
      AxisSpec axis = {.name = name, .coordinates = {}, .boundary = "OPEN"};
      for (int64_t i = 0; i < config_.resolution; ++i) {
        axis.coordinates.push_back(static_cast<double>(i) + 0.5);
      }
      layout.axes.push_back(std::move(axis));
    }
    for (int64_t frame = 0; frame < config_.frames; ++frame) {
      layout.times.push_back(static_cast<double>(frame) / config_.rate);
    }
    layout.parameters = {{"rate", config_.rate}};
    layout.notes = {{"axes", "[channel, row, column], the top row first"},
                    {"values", "sRGB from 0 to 1"},
                    {"model_interval", "0.12 s: every third frame at 25 frames per second"}};
    return layout;
  }

  std::string storage() const override { return "video"; }

  SolveReport solve(const TrajectoryKey& key, const FrameSink& sink) const override {
    const auto face = talking_head::draw_face(draws_for(identity_key(key), "talking_head.face"));
    const auto poses = talking_head::draw_motion(draws_for(key, "talking_head.motion"),
                                                 config_.frames, config_.rate);
    const talking_head::HeadRenderer renderer(face, config_.resolution);
    std::vector<float> frame(static_cast<size_t>(3 * config_.resolution * config_.resolution));
    for (size_t k = 0; k < poses.size(); ++k) {
      renderer.draw(poses[k], frame);
      sink(static_cast<int64_t>(k), frame);
    }
    return {.steps = config_.frames};
  }

  std::string settings() const override { return settings_toml("talking_head", config_, bind); }

  std::string identity(const TrajectoryKey& key) const override {
    return fmt::format("{}-{:05}", key.split, identity_key(key).index);
  }

 private:
  // The split is part of the key, so no head of one split appears in another.
  TrajectoryKey identity_key(const TrajectoryKey& key) const {
    return {key.seed, key.split, key.index / config_.clips_per_identity};
  }

  Config config_;
};

}  // namespace

std::unique_ptr<System> make_talking_head(std::string_view preset,
                                          const std::vector<std::string>& overrides) {
  return std::make_unique<TalkingHead>(
      resolve_preset("talking_head", presets(), preset, overrides, bind));
}

}  // namespace roundtrip

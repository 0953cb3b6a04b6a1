#include "roundtrip/data/data_config.h"

#include "roundtrip/base/error.h"
#include "roundtrip/base/settings.h"

namespace roundtrip {
namespace {

constexpr double kMany = 1e9;

}  // namespace

int64_t DataConfig::limit(Split split) const {
  switch (split) {
    case Split::train:
      return train_limit;
    case Split::selection:
      return selection_limit;
    case Split::calibration:
      return calibration_limit;
    case Split::test:
      return test_limit;
    case Split::other:
      return 0;
  }
  throw Bug("a split without a limit");
}

void bind(DataConfig& config, Settings& settings) {
  settings.add("data.path", config.path,
               "a Well folder, a .mat file of the FNO, or a folder of videos with clips.csv");
  settings.add("data.train_limit", config.train_limit, "trajectories of train used; 0 = all")
      .within(0, kMany);
  settings.add("data.selection_limit", config.selection_limit, "trajectories of selection; 0 = all")
      .within(0, kMany);
  settings
      .add("data.calibration_limit", config.calibration_limit,
           "trajectories of calibration; 0 = all")
      .within(0, kMany);
  settings.add("data.test_limit", config.test_limit, "trajectories of test; 0 = all")
      .within(0, kMany);
  bind_reading(config, settings);
}

void bind_reading(DataConfig& config, Settings& settings) {
  settings.add("data.stride", config.stride, "every stride-th stored frame is used")
      .within(1, kMany);
  settings.add("data.frames", config.frames, "frames of a trajectory used, the first ones; 0 = all")
      .within(0, kMany);
  settings.add("data.width", config.width, "pixels of a video; 0 with height 0 = as stored")
      .within(0, 16384);
  settings.add("data.height", config.height, "pixels of a video; 0 with width 0 = as stored")
      .within(0, 16384);
  settings.add("data.rate", config.rate, "video frames per second, before stride; 0 = as stored")
      .within(0, 1000);
  settings.add("data.train_share", config.train_share, "share of the people shown in clips")
      .at_least(0);
  settings.add("data.selection_share", config.selection_share, "the same of selection").at_least(0);
  settings.add("data.calibration_share", config.calibration_share, "the same of calibration")
      .at_least(0);
  settings.add("data.test_share", config.test_share, "the same of test").at_least(0);
  settings.add("data.split_seed", config.split_seed, "deals the people out").at_least(0);
}

}  // namespace roundtrip

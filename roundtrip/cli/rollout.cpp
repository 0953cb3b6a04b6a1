// Rolls trajectories out and writes decoded frames in the Well's format.
#include <memory>

#include <fmt/format.h>

#include "roundtrip/base/error.h"
#include "roundtrip/base/interrupt.h"
#include "roundtrip/base/json_text.h"
#include "roundtrip/base/progress.h"
#include "roundtrip/cli/command.h"
#include "roundtrip/cli/model_options.h"
#include "roundtrip/cli/output.h"
#include "roundtrip/nn/compute_threads.h"
#include "roundtrip/rollout/rollout_file.h"

namespace roundtrip {
namespace {

struct RolloutOptions {
  ModelOptions model;
  std::string split = "test";
  std::string direction = "forward";
  std::string out;
  int64_t depth = 16;
  int64_t seeds = 0;
  int64_t first = 0;
  int64_t trajectories = 0;
  int64_t batch = 64;
  bool force = false;
  bool json = false;
};

int64_t parse_direction(const std::string& text) {
  if (text == "forward") return +1;
  if (text == "backward") return -1;
  throw Error("rollout", fmt::format("--direction: expected forward or backward, found {}", text));
}

void run(const RolloutOptions& options) {
  const RolloutRequest request = {.out = options.out,
                                  .split = parse_split(options.split),
                                  .first = options.first,
                                  .trajectories = options.trajectories,
                                  .initial_frames = options.seeds,
                                  .depth = options.depth,
                                  .direction = parse_direction(options.direction),
                                  .batch = options.batch,
                                  .force = options.force};
  use_all_threads();
  catch_interrupts();
  const OpenedModel opened = open_model(options.model);
  const Provenance provenance = provenance_of(
      opened, fmt::format("split = \"{}\"\nfirst = {}\ndepth = {}\ndirection = \"{}\"\n",
                          options.split, options.first, options.depth, options.direction));
  LateProgress bar("rolling out", "frames");
  write_rollouts(request, opened.surrogate, *opened.dataset, opened.config,
                 json_text(to_json(provenance)), [&](int64_t done, int64_t total) {
                   bar.advance_to(done, total);
                   if (interrupt_signal() != 0) {
                     throw Interrupted(interrupt_signal(), "nothing was written");
                   }
                 });
  bar.end();
  if (options.json) {
    return print_json(provenance, nlohmann::ordered_json::array(
                                      {{{"file", options.out}, {"depth", options.depth}}}));
  }
  fmt::print("The frames are in {}; `roundtrip inspect {}` says what it holds.\n", options.out,
             options.out);
}

}  // namespace

Action declare_rollout(Options& options) {
  auto chosen = std::make_shared<RolloutOptions>();
  declare(chosen->model, options);
  options.add("--out", chosen->out, "the file, a Well HDF5", Options::Need::required);
  options.add("--split", chosen->split, "train, selection, calibration, test or other");
  options.add("--depth", chosen->depth, "frames to predict", 1, 1'000'000);
  options.add("--direction", chosen->direction,
              "forward from the first frames or backward from the last");
  options.add("--seeds", chosen->seeds, "known frames; 0 = as many as the model sees", 0, 1000);
  options.add("--first", chosen->first, "first trajectory", 0, 1'000'000'000);
  options.add("--trajectories", chosen->trajectories, "how many; 0 = all", 0, 1'000'000'000);
  options.add("--batch", chosen->batch, "trajectories at a time; bounds memory", 1, 1'000'000);
  options.flag("--force", chosen->force, "replace a file");
  options.add_threads();
  options.flag("--json", chosen->json, "print one JSON object");
  return [chosen] { run(*chosen); };
}

}  // namespace roundtrip

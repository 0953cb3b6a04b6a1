#include "roundtrip/evaluation/checkpoints.h"

#include <algorithm>

#include <fmt/format.h>

#include "roundtrip/base/error.h"
#include "roundtrip/metrics/correlation.h"
#include "roundtrip/evaluation/cells.h"

namespace roundtrip {

std::vector<Section> evaluate_checkpoints(const Measurements& measured) {
  const std::vector<LoggedValidation>& validations = measured.validations;
  if (validations.empty()) {
    throw Error("evaluation",
                "checkpoints: expected validations of a denoiser, found none; the training's "
                "metrics.jsonl, as training.jsonl in the bundle, has them");
  }
  TableSection table;
  table.title = "Denoising loss and rollout error over a training";
  table.text =
      "Selection trajectories. Errors are over that of repeating a frame; the score is the mean "
      "logarithm over depths and directions, by which the checkpoint is chosen.";
  table.columns = {"stage", "step", "denoising loss", "one step forward", "backward", "score"};
  std::vector<double> losses, scores;
  for (const LoggedValidation& at : validations) {
    table.rows.push_back({word(at.stage), count(at.step), number(at.denoising_loss),
                          number(at.step_forward), number(at.step_backward), number(at.score)});
    losses.push_back(at.denoising_loss);
    scores.push_back(at.score);
  }
  if (const auto rho = correlate(Correlation::spearman, losses, scores)) {
    table.notes.push_back(
        fmt::format("Spearman correlation of the two over {} checkpoints: {:.2f}. In the paper's "
                    "Navier-Stokes training they go against each other.",
                    validations.size(), *rho));
  }
  return {table};
}

}  // namespace roundtrip

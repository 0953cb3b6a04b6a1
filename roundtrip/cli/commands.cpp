#include "roundtrip/cli/command.h"

namespace roundtrip {

const Registry<Command>& commands() {
  static const Registry<Command> entries = {
      {"demo", "A shipped model predicts fresh trajectories and its own error", declare_demo},
      {"generate", "Solve trajectories of a system and write a dataset", declare_generate},
      {"train", "Train codec and denoiser on a dataset and write a bundle", declare_train},
      {"config", "Print all settings of a training, each with its meaning", declare_config},
      {"rollout", "Predict frames, forward or backward in time", declare_rollout},
      {"cycle", "Roll out and back and measure the signals of trust", declare_cycle},
      {"calibrate", "Fit predictions of the error to the signals of a table of curves",
       declare_calibrate},
      {"trust", "Roll out from seeds and predict the error of every depth", declare_trust},
      {"score", "Score a table of predictions: likelihood, coverage, calibration", declare_score},
      {"reproduce", "The paper's tables and figures, ours beside its numbers", declare_reproduce},
      {"report", "Make the report page from records", declare_report},
      {"inspect", "Say what a file or dataset holds", declare_inspect},
      {"list", "List systems, samplers, signals and all other choices", declare_list},
      {"doctor", "Check this machine: versions, BLAS, threads, speed", declare_doctor},
      {"completion", "Print what a shell needs to complete command lines", declare_completion},
      {"man", "Print the man page", declare_man},
  };
  return entries;
}

}  // namespace roundtrip

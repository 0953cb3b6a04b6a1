#include "roundtrip/evaluation/evaluation_tables.h"

#include "roundtrip/evaluation/augmentation.h"
#include "roundtrip/evaluation/calibration_table.h"
#include "roundtrip/evaluation/certificate.h"
#include "roundtrip/evaluation/checkpoints.h"
#include "roundtrip/evaluation/correlations.h"
#include "roundtrip/evaluation/fields.h"
#include "roundtrip/evaluation/first_fifty.h"
#include "roundtrip/evaluation/growth.h"
#include "roundtrip/evaluation/head_to_head.h"
#include "roundtrip/evaluation/high_error.h"
#include "roundtrip/evaluation/noise_seeds.h"
#include "roundtrip/evaluation/out_of_distribution.h"
#include "roundtrip/evaluation/paper_numbers.h"
#include "roundtrip/evaluation/per_depth_gain.h"
#include "roundtrip/evaluation/risk_coverage.h"
#include "roundtrip/evaluation/samples.h"
#include "roundtrip/evaluation/scatter.h"
#include "roundtrip/evaluation/signals.h"
#include "roundtrip/evaluation/tolerance.h"
#include "roundtrip/evaluation/train_ratio.h"
#include "roundtrip/evaluation/variance.h"

namespace roundtrip {

const Registry<TableEntry>& evaluation_tables() {
  static const Registry<TableEntry> entries = {
      {"scatter", "C, E and the predicted error of every test rollout, and their mirror", "Fig. 2",
       evaluate_scatter},
      {"calibration", "how well the error is predicted: constant, depth, baselines, C", "Table 3",
       evaluate_calibration},
      {"first_fifty", "the same of as many test trajectories as the paper has", "Table 3",
       evaluate_first_fifty},
      {"signals", "signals side by side: ranking, prediction, the vortex, cost", "Table 2",
       evaluate_signals},
      {"correlations", "C against E at every depth and along rollouts", "Sec. 6.1",
       evaluate_correlations},
      {"per_depth_gain", "what C gains over the depth alone, by depth", "Sec. 6.2",
       evaluate_per_depth_gain},
      {"fields", "the error of each decoded field from C", "Supp. Table 1", evaluate_fields},
      {"augmentation", "C with its own mean; areas by depth; upper bounds", "Supp. Sec. E",
       evaluate_augmentation},
      {"risk_coverage", "selective prediction: the error of what is kept", "Supp. Fig. 6",
       evaluate_risk_coverage},
      {"high_error", "telling the worst fifth of the rollouts", "Sec. 6.3", evaluate_high_error},
      {"out_of_distribution", "OOD scenarios: percentile rank, errors, alarm", "Fig. 3",
       evaluate_out_of_distribution},
      {"tolerance", "trusted depth of a rollout, beside the true one", "not in it",
       evaluate_tolerance},
      {"variance", "factor and noise in log C and log E, and what they allow", "Supp. Sec. B",
       evaluate_variance},
      {"growth", "geometric growth of the error with depth", "Supp. Fig. 7", evaluate_growth},
      {"certificate", "bounds on C and E with realised factors", "Sec. 5.1", evaluate_certificate},
      {"checkpoints", "denoising loss against rollout error over the training", "Supp. Sec. E",
       evaluate_checkpoints},
      {"head_to_head", "sigmas of pixels, beside an ensemble's with learned ones", "Table 4",
       evaluate_head_to_head},
      {"samples", "how far samples lie apart beside how far they are off", "Sec. 6.6",
       evaluate_samples},
      {"noise_seeds", "the same rollouts from other initial noise", "not in it",
       evaluate_noise_seeds},
      {"train_ratio", "error of test over training trajectories", "Supp. Sec. E",
       evaluate_train_ratio},
  };
  return entries;
}

std::vector<Section> make_table(const TableEntry& entry, const Measurements& measured) {
  std::vector<Section> sections = entry.make(measured);
  add_paper_numbers(measured.system, sections);
  return sections;
}

const TableEntry& find_table(std::string_view name, std::string& note) {
  if (name != "novelty") return find_entry(evaluation_tables(), "table", name);
  note = "novelty: this table is called out_of_distribution now";
  return find_entry(evaluation_tables(), "table", "out_of_distribution");
}

}  // namespace roundtrip

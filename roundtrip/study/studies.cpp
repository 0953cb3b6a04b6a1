#include "roundtrip/study/studies.h"

#include "roundtrip/study/augmentation.h"
#include "roundtrip/study/calibration_table.h"
#include "roundtrip/study/certificate.h"
#include "roundtrip/study/checkpoints.h"
#include "roundtrip/study/correlations.h"
#include "roundtrip/study/fields.h"
#include "roundtrip/study/first_fifty.h"
#include "roundtrip/study/growth.h"
#include "roundtrip/study/head_to_head.h"
#include "roundtrip/study/high_error.h"
#include "roundtrip/study/noise_seeds.h"
#include "roundtrip/study/novelty.h"
#include "roundtrip/study/per_depth_gain.h"
#include "roundtrip/study/risk_coverage.h"
#include "roundtrip/study/samples.h"
#include "roundtrip/study/scatter.h"
#include "roundtrip/study/signals.h"
#include "roundtrip/study/tolerance.h"
#include "roundtrip/study/train_ratio.h"
#include "roundtrip/study/variance.h"

namespace roundtrip {

const Registry<StudyEntry>& studies() {
  static const Registry<StudyEntry> rows = {
      {"scatter", "C, E and the predicted error of every test rollout, and their mirror", "Fig. 2",
       study_scatter},
      {"calibration", "how well the error is predicted: constant, depth, controls, C", "Table 3",
       study_calibration},
      {"first_fifty", "the same of as many test trajectories as the paper has", "Table 3",
       study_first_fifty},
      {"signals", "signals side by side: ranking, prediction, the vortex, cost", "Table 2",
       study_signals},
      {"correlations", "C against E at every depth and along rollouts", "Sec. 6.1",
       study_correlations},
      {"per_depth_gain", "what C gains over the depth alone, by depth", "Sec. 6.2",
       study_per_depth_gain},
      {"fields", "the error of each decoded field from C", "Supp. Table 1", study_fields},
      {"augmentation", "C with its own mean; areas by depth; upper bounds", "Supp. Sec. E",
       study_augmentation},
      {"risk_coverage", "the error of what is kept when some is deferred", "Supp. Fig. 6",
       study_risk_coverage},
      {"high_error", "telling the worst fifth of the rollouts", "Sec. 6.3", study_high_error},
      {"novelty", "rollouts of other kinds: standing, errors, alarm", "Fig. 3", study_novelty},
      {"tolerance", "how deep to trust a rollout, beside the truth", "not in it", study_tolerance},
      {"variance", "factor and noise in log C and log E, and what they allow", "Supp. Sec. B",
       study_variance},
      {"growth", "geometric growth of the error with depth", "Supp. Fig. 7", study_growth},
      {"certificate", "bounds on C and E with realised factors", "Sec. 5.1", study_certificate},
      {"checkpoints", "denoising loss against rollout error over the training", "Supp. Sec. E",
       study_checkpoints},
      {"head_to_head", "sigmas of pixels, beside an ensemble's with learned ones", "Table 4",
       study_head_to_head},
      {"samples", "how far samples lie apart beside how far they are off", "Sec. 6.6",
       study_samples},
      {"noise_seeds", "the same rollouts from other start noise", "not in it", study_noise_seeds},
      {"train_ratio", "error of test over training trajectories", "Supp. Sec. E",
       study_train_ratio},
  };
  return rows;
}

}  // namespace roundtrip

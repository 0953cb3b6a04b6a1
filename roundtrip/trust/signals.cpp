#include "roundtrip/trust/signals.h"

#include <algorithm>

#include "roundtrip/trust/averaged_cycle.h"
#include "roundtrip/trust/backward_residual.h"
#include "roundtrip/trust/decoded_error.h"
#include "roundtrip/trust/forward_backward_forward.h"
#include "roundtrip/trust/local_cycles.h"
#include "roundtrip/trust/mirror.h"
#include "roundtrip/trust/rollout_error.h"
#include "roundtrip/trust/round_trip.h"
#include "roundtrip/trust/sample_spread.h"
#include "roundtrip/trust/seed_controls.h"

namespace roundtrip {
namespace {

using Columns = std::vector<std::string>;

Columns field_columns(const SignalSetup& setup) {
  Columns names;
  for (const std::string& channel : setup.layout.channels) names.push_back("E_" + channel);
  return names;
}

}  // namespace

const Catalog<SignalRow>& signals() {
  using Needs = SignalRow::Needs;
  using Work = SignalRow::Work;
  using Others = SignalRow::Others;
  static const Catalog<SignalRow> rows = {
      {"round_trip", "C: out to depth i and back again, compared with the seeds", Needs::seeds,
       Work::steps, Others::none,
       [](const SignalSetup&) {
         return Columns{"C", "C_regenerated", "C_leakfree"};
       },
       make_round_trip},
      {"error", "E: the rollout's error, and that of its newest pair", Needs::truth, Work::none,
       Others::none,
       [](const SignalSetup&) {
         return Columns{"E", "E_pair"};
       },
       make_rollout_error},
      {"residual", "delta: what comes back from the true frames at depth i", Needs::truth,
       Work::steps, Others::none, [](const SignalSetup&) { return Columns{"delta"}; },
       make_backward_residual},
      {"mirror", "C_back, E_back: the same two from the last frames backward", Needs::whole,
       Work::steps, Others::none,
       [](const SignalSetup&) {
         return Columns{"C_back", "E_back"};
       },
       make_mirror},
      {"spread_seed", "variance of rollouts from several start noises", Needs::seeds, Work::steps,
       Others::seeds, [](const SignalSetup&) { return Columns{"spread_seed"}; }, make_seed_spread},
      {"spread_ancestral", "variance of rollouts with fresh noise in every call", Needs::seeds,
       Work::steps, Others::ancestral,
       [](const SignalSetup&) { return Columns{"spread_ancestral"}; }, make_ancestral_spread},
      {"averaged", "C averaged over several start noises", Needs::seeds, Work::steps, Others::seeds,
       [](const SignalSetup&) { return Columns{"C_averaged"}; }, make_averaged_cycle},
      {"fbf", "forward, back and forward again, compared with the first time", Needs::seeds,
       Work::steps, Others::none, [](const SignalSetup&) { return Columns{"fbf"}; },
       make_forward_backward_forward},
      {"local", "1, 2 and 4 steps back from every depth, averaged so far", Needs::seeds,
       Work::steps, Others::none,
       [](const SignalSetup&) {
         return Columns{"local_1", "local_2", "local_4"};
       },
       make_local_cycles},
      {"seed_step", "change between the two newest seeds; no rollout", Needs::seeds, Work::none,
       Others::none, [](const SignalSetup&) { return Columns{"seed_step"}; }, make_seed_step},
      {"seed_knn", "distance of the seeds to those of the training split; no rollout", Needs::seeds,
       Work::none, Others::none, [](const SignalSetup&) { return Columns{"seed_knn"}; },
       make_seed_knn},
      {"seed_codec", "what the codec loses of the seeds; no rollout", Needs::seeds, Work::none,
       Others::none, [](const SignalSetup&) { return Columns{"seed_codec"}; }, make_seed_codec,
       /*decoded=*/true},
      {"fields", "E of every decoded field, in its physical units", Needs::truth, Work::none,
       Others::none, field_columns, make_decoded_error, /*decoded=*/true},
  };
  return rows;
}

std::vector<const SignalRow*> find_signals(const std::vector<std::string>& names) {
  for (const std::string& name : names) find_row(signals(), "signal", name);
  std::vector<const SignalRow*> found;
  for (const SignalRow& row : signals()) {
    if (std::find(names.begin(), names.end(), row.name) != names.end()) found.push_back(&row);
  }
  return found;
}

}  // namespace roundtrip

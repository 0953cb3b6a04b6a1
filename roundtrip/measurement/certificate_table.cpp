#include "roundtrip/measurement/certificate_table.h"

#include <algorithm>

#include <torch/types.h>
#include <torch/utils.h>

#include "roundtrip/base/csv.h"
#include "roundtrip/base/interrupt.h"
#include "roundtrip/trust/certificate.h"

namespace roundtrip {

std::string certificate_table(const Surrogate& surrogate, const Dataset& dataset,
                              int64_t trajectories, const std::vector<int64_t>& depths) {
  const torch::NoGradGuard no_grad;
  const LatentError error(surrogate.codec->live_channels());
  const int64_t seeds = surrogate.stepper->contexts();
  std::string text = csv_line({"trajectory", "depth", "anchors", "E", "C", "delta", "mu", "L",
                               "realised", "lower", "upper", "bound"});
  for (int64_t i = 0; i < std::min(trajectories, dataset.trajectories(Split::test)); ++i) {
    stop_if_interrupted();
    const torch::Tensor truth =
        surrogate.codec->encode(dataset.read(Split::test, i, 0, seeds + depths.back()));
    for (const LegAnchors anchors : {LegAnchors::shared, LegAnchors::own}) {
      for (const CertificateRow& row :
           certify(*surrogate.stepper, error, truth, seeds, depths, anchors)) {
        std::vector<std::string> cells = {std::to_string(i), std::to_string(row.depth),
                                          anchors == LegAnchors::shared ? "shared" : "own"};
        for (const double value : {row.E, row.C, row.delta, row.mu, row.L, row.realised, row.lower,
                                   row.upper, row.bound}) {
          cells.push_back(csv_number(value));
        }
        text += csv_line(cells);
      }
    }
  }
  return text;
}

}  // namespace roundtrip

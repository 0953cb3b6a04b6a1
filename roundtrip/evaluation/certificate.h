#pragma once

#include <vector>

#include "roundtrip/report/records.h"
#include "roundtrip/evaluation/measurements.h"

namespace roundtrip {

/// The sandwich around C and the certificate for E with the factors that the legs realise, and how
/// loose they are.
std::vector<Section> evaluate_certificate(const Measurements& measured);

}  // namespace roundtrip

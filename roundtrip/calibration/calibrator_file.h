#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "roundtrip/calibration/calibrator.h"

namespace roundtrip {

/// The JSON of calibrators.json, described in docs/reference/calibrators.md; `context` is its
/// provenance. Numbers come back exactly; an infinite quantile is written as null.
std::string calibrators_to_json(const CalibratorSet& set, const nlohmann::ordered_json& context);

/// Reads it back. An Error that names `where` and what is wrong when the text is no JSON, of
/// another version, or does not hang together (terms, sizes, ranges).
CalibratorSet calibrators_from_json(std::string_view text, const std::string& where);

/// `calibrators_from_json` of a file.
CalibratorSet read_calibrators(const std::filesystem::path& path);

}  // namespace roundtrip
